# Three Renos over 1000 km, as in three-reno.toml.
# Usage: ns three-reno.tcl SECONDS; prints the goodput of all in Mbit/s, their fairness, what
# share of packets was resent, and how often one timed out.

set seconds [lindex $argv 0]
set ns [new Simulator -multicast off]
$ns use-scheduler Splay

Agent/TCP set packetSize_      9140
Agent/TCP set window_          18
Agent/TCP set windowInit_      1
Agent/TCP set overhead_        0.0004896
Agent/TCP set tcpTick_         0.01
Agent/TCP set minrto_          0.02
Agent/TCP set rtxcur_init_     0.2
Agent/TCP set rfc2988_         false
Agent/TCP set updated_rttvar_  false
Agent/TCP set precisionReduce_ false
Agent/TCP set singledup_       0
Agent/TCP set syn_             false

set first  [$ns node]
set second [$ns node]
$ns duplex-link $first $second 150Mb 1.7ms DropTail
$ns queue-limit $first $second 7
$ns queue-limit $second $first 10000

set random [new RandomVariable/Uniform]
$random set min_ 0
$random set max_ 1
for {set i 0} {$i < 3} {incr i} {
    set sender [$ns node]
    set receiver [$ns node]
    foreach {here there} [list $sender $first $second $receiver] {
        $ns duplex-link $here $there 1000Mb 1.65ms DropTail
        $ns queue-limit $here $there 10000
        $ns queue-limit $there $here 10000
    }
    set tcp($i) [new Agent/TCP/Reno]
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
    puts [expr $all * 9140 * 8 / $seconds / 1e6]
    puts [expr $all * $all / $squares / [array size tcp]]
    puts [expr $resent / $sent]
    puts $timeouts
    exit 0
}
$ns run
