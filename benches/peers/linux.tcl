# Flows of a congestion control of Linux through one drop-tail queue, as one-cubic.toml and two-reno.toml
# have them. Read by one-cubic.tcl and two-reno.tcl, which say how many `flows` of which `control` there
# are, and with which `round_trip` and `room` in packets; prints what three-reno.tcl prints, below what
# ns says of itself.

set seconds [lindex $argv 0]
set ns [new Simulator -multicast off]
$ns use-scheduler Splay

Agent/TCP set packetSize_      1460
Agent/TCP set useHeaders_      true
Agent/TCP set window_          5592
Agent/TCP set windowInit_      10
Agent/TCP set syn_             false
Agent/TCP set minrto_          0.2
Agent/TCP set rtxcur_init_     1.0
Agent/TCP set timestamps_      true
Agent/TCP set ts_option_size_  0
Agent/TCPSink set ts_echo_bugfix_ true

set router [$ns node]
set receiver [$ns node]
$ns duplex-link $router $receiver 100Mb [expr $round_trip / 2] DropTail
$ns queue-limit $router $receiver [expr $room + 1]
$ns queue-limit $receiver $router 1000000

set random [new RandomVariable/Uniform]
$random set min_ 0
$random set max_ 0.5
for {set i 0} {$i < $flows} {incr i} {
    set sender [$ns node]
    $ns duplex-link $sender $router 1Gb 0ms DropTail
    $ns queue-limit $sender $router 1000000
    $ns queue-limit $router $sender 1000000
    set tcp($i) [new Agent/TCP/Linux]
    set sink [new Agent/TCPSink/Sack1]
    $ns attach-agent $sender $tcp($i)
    $ns attach-agent $receiver $sink
    $ns connect $tcp($i) $sink
    set ftp [$tcp($i) attach-source FTP]
    $ns at 0 "$tcp($i) select_ca $control"
    # What a loss leaves of the window is 70 % today; here in 1024ths.
    if {$control == "cubic"} { $ns at 0 "$tcp($i) set_ca_param cubic beta 717" }
    $ns at [$random value] "$ftp start"
}

$ns at $seconds {
    foreach sum {all squares sent resent timeouts} { set $sum 0.0 }
    foreach {i agent} [array get tcp] {
        set arrived [expr [$agent set ack_] + 1]
        set all [expr $all + $arrived]
        set squares [expr $squares + $arrived * $arrived]
        set sent [expr $sent + [$agent set ndatapack_]]
        set resent [expr $resent + [$agent set nrexmitpack_]]
        set timeouts [expr $timeouts + [$agent set nrexmit_]]
    }
    puts [expr $all * 1460 * 8 / $seconds / 1e6]
    puts [expr $all * $all / $squares / [array size tcp]]
    puts [expr $resent / $sent]
    puts $timeouts
    exit 0
}
$ns run
