# Ten Tahoes through one drop-tail queue, all links of one rate, as in test_phases.py.
# Usage: ns phases.tcl SECONDS OCTETS QUEUE OVERHEAD SEED, where QUEUE counts packets, the one being
# sent included, and OVERHEAD is the most time that a host takes for what it sends.
# Prints the goodput of all in Mbit/s, and their fairness.

lassign $argv seconds octets queue overhead seed
set ns [new Simulator -multicast off]
global defaultRNG
$defaultRNG seed $seed

Agent/TCP set packetSize_      [expr $octets - 40]
Agent/TCP set window_          [expr 65536 / $octets]
Agent/TCP set overhead_        $overhead
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
$ns queue-limit $router $receiver $queue
$ns queue-limit $receiver $router 10000

set random [new RandomVariable/Uniform]
$random set min_ 0
$random set max_ 0.1
for {set i 0} {$i < 10} {incr i} {
    set sender [$ns node]
    $ns duplex-link $sender $router 141.333Mb 3us DropTail
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
    foreach sum {all squares} { set $sum 0.0 }
    foreach {i agent} [array get tcp] {
        set arrived [expr [$agent set ack_] + 1]
        set all [expr $all + $arrived]
        set squares [expr $squares + $arrived * $arrived]
    }
    puts [expr $all * ($octets - 40) * 8 / $seconds / 1e6]
    puts [expr $all * $all / $squares / [array size tcp]]
    exit 0
}
$ns run
