# ns linux.tcl RATE DELAY ROOM WINDOW SECONDS BETA START CONTROL [START CONTROL ...]: flows of Linux's
# own congestion controls through one drop-tail queue, as benches/linux.py has them. Rates in bit/s,
# times in seconds, room and window in packets; what a loss leaves of CUBIC's window in 1024ths. Prints
# for each flow how many packets were acknowledged and sent again, and how often its timer expired.
#
# A script that reads this file sets `argv`, in which START may be a command in brackets, and may print
# other numbers by a `report` of its own.

lassign $argv rate delay room window seconds beta
set ns [new Simulator -multicast off]
$ns use-scheduler Splay

Agent/TCP set packetSize_      1460
Agent/TCP set useHeaders_      true
Agent/TCP set window_          $window
Agent/TCP set windowInit_      10
Agent/TCP set syn_             false
Agent/TCP set minrto_          0.2
Agent/TCP set rtxcur_init_     1.0
Agent/TCP set rfc2988_         true
Agent/TCP set timestamps_      true
Agent/TCP set ts_option_size_  0
Agent/TCPSink set ts_echo_bugfix_ true

set router [$ns node]
set receiver [$ns node]
$ns duplex-link $router $receiver $rate [expr $delay / 2] DropTail
$ns queue-limit $router $receiver [expr $room + 1]
$ns queue-limit $receiver $router 1000000

set flows {}
foreach {start control} [lrange $argv 6 end] {
    set sender [$ns node]
    $ns duplex-link $sender $router 1Gb 0ms DropTail
    $ns queue-limit $sender $router 1000000
    $ns queue-limit $router $sender 1000000
    set tcp [new Agent/TCP/Linux]
    set sink [new Agent/TCPSink/Sack1]
    $ns attach-agent $sender $tcp
    $ns attach-agent $receiver $sink
    $ns connect $tcp $sink
    set ftp [$tcp attach-source FTP]
    $ns at 0 "$tcp select_ca $control"
    if {$control == "cubic"} { $ns at 0 "$tcp set_ca_param cubic beta $beta" }
    $ns at [expr $start] "$ftp start"
    lappend flows $tcp
}

if {[info procs report] == ""} {
    proc report {flows seconds} {
        foreach tcp $flows {
            puts "flow [expr [$tcp set ack_] + 1] [$tcp set nrexmitpack_] [$tcp set nrexmit_]"
        }
    }
}

$ns at $seconds {
    report $flows $seconds
    exit 0
}
$ns run
