# Ten Tahoes through one drop-tail queue, as in ten-tcp.toml.
# Usage: ns ten-tcp.tcl SECONDS; prints the goodput of all in Mbit/s, their fairness, what
# share of packets was resent, and how often one timed out.

set seconds [lindex $argv 0]
set ns [new Simulator -multicast off]
$ns use-scheduler Splay

Agent/TCP set packetSize_      472
Agent/TCP set window_          128
Agent/TCP set windowInit_      1
Agent/TCP set tcpTick_         0.0001
Agent/TCP set minrto_          0.0002
Agent/TCP set rtxcur_init_     0.2
Agent/TCP set rfc2988_         false
Agent/TCP set updated_rttvar_  false
Agent/TCP set precisionReduce_ false
Agent/TCP set singledup_       0
Agent/TCP set syn_             false

set router [$ns node]
set receiver [$ns node]
$ns duplex-link $router $receiver 141.333Mb 3us DropTail
$ns queue-limit $router $receiver 101
$ns queue-limit $receiver $router 10000

set random [new RandomVariable/Uniform]
$random set min_ 0
$random set max_ 0.1
for {set i 0} {$i < 10} {incr i} {
    set sender [$ns node]
    $ns duplex-link $sender $router 155.52Mb 3us DropTail
    $ns queue-limit $sender $router 10000
    $ns queue-limit $router $sender 10000
    set tcp($i) [new Agent/TCP]
    set sink [new Agent/TCPSink]
    $ns attach-agent $sender $tcp($i)
    $ns attach-agent $receiver $sink
    $ns connect $tcp($i) $sink
    set ftp [$tcp($i) attach-source FTP]
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
    puts [expr $all * 472 * 8 / $seconds / 1e6]
    puts [expr $all * $all / $squares / [array size tcp]]
    puts [expr $resent / $sent]
    puts $timeouts
    exit 0
}
$ns run
