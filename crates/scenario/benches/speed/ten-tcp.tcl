# The packet scenario of Romanow and Floyd in ns-2: ten Tahoes, one drop-tail queue of 100 packets.
# Usage: ns ten-tcp.tcl SECONDS; prints the goodput of all together in Mbit/s.

set seconds [lindex $argv 0]
set ns [new Simulator -multicast off]
$ns use-scheduler Heap

Agent/TCP set packetSize_ 472
Agent/TCP set window_ 128
Agent/TCP set tcpTick_ 0.0001
Agent/TCP set minrto_ 0.0002
Agent/TCP set rtxcur_init_ 0.2
Agent/TCP set windowInit_ 1
Agent/TCP set bugFix_ true
Agent/TCP set singledup_ 0
Agent/TCP set syn_ false
Agent/TCP set timestamps_ false

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

proc finish {} {
    global tcp seconds
    set packets 0
    for {set i 0} {$i < 10} {incr i} { incr packets [expr int([$tcp($i) set ack_]) + 1] }
    puts [format "%.2f" [expr $packets * 512 * 8 / $seconds / 1e6]]
    exit 0
}
$ns at $seconds "finish"
$ns run
