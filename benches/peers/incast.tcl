# ns incast.tcl ROOM SRU RTO CONTROL SECONDS DELAY [DELAY ...]: synchronised reads from as many servers
# as there are delays, as incast.py has them for cellrelay. ROOM is the buffer of the client's port in
# octets, SRU the number of packets that a server sends for a block, RTO the shortest timeout and DELAY
# that of a server's link, in seconds. Prints the goodput of all servers in Mbit/s, the share of packets
# sent again, the number of timeouts and that of blocks.

lassign $argv room sru rto control seconds
set delays [lrange $argv 5 end]
set ns [new Simulator -multicast off]
$ns use-scheduler Splay

# With headers counted apart, the first packet would have none.
Agent/TCP set packetSize_      1040
Agent/TCP set useHeaders_      false
Agent/TCP set window_          20
Agent/TCP set windowInit_      2
Agent/TCP set delay_growth_    false
Agent/TCP set bugFix_          true
Agent/TCP set tcpTick_         0.01
Agent/TCP set minrto_          $rto
Agent/TCP set rtxcur_init_     $rto
Agent/TCP set updated_rttvar_  false
Agent/TCP set precisionReduce_ false
Agent/TCP set singledup_       0
# A window restarts after an idle time counted from the last acknowledgment here, and from the last
# packet in cellrelay, so neither restarts.
Agent/TCP set slow_start_restart_ false
Agent/TCP set syn_             false
Agent/TCP/Newreno set newreno_changes_           0
Agent/TCP/Newreno set newreno_changes1_          0
Agent/TCP/Newreno set partial_window_deflation_  0
Agent/TCP/Newreno set exit_recovery_fix_         0

# Packets are dropped that would leave more than ROOM octets waiting.
set client [$ns node]
set switch [$ns node]
$ns duplex-link $client $switch 1000Mb 25us DropTail
$ns queue-limit $client $switch 1000000
$ns queue-limit $switch $client 1
set port [[$ns link $switch $client] queue]
$port set queue_in_bytes_ true
$port set mean_pktsize_ [expr $room + 1]

# A request is a packet of 140 octets, and acknowledged by one of 40. The first port of a node is 0, for
# which `sendto` puts another one.
Class Client -superclass Agent/MessagePassing
Client instproc recv {source port size data} {}
Class Server -superclass Agent/MessagePassing
Server instproc recv {source port size data} {
    global client requester tcp sru
    $self sendto 40 "" [$client node-addr] [$requester set agent_port_]
    $tcp($data) set QOption_ 0
    $tcp($data) advanceby $sru
}
Agent/MessagePassing set packetSize_ 140
set requester [new Client]
$ns attach-agent $client [new Agent/Null]
$ns attach-agent $client $requester

set receiver TCPSink
if {$control == "Sack1"} { set receiver TCPSink/Sack1 }
set servers 0
foreach delay $delays {
    set node [$ns node]
    $ns duplex-link $node $switch 1001Mb $delay DropTail
    $ns queue-limit $node $switch 1000000
    $ns queue-limit $switch $node 1000000
    set tcp($servers) [new Agent/TCP/$control]
    set away($tcp($servers)) $delay
    set sink [new Agent/$receiver]
    $ns attach-agent $node $tcp($servers)
    $ns attach-agent $client $sink
    $ns connect $tcp($servers) $sink
    set server [new Server]
    $ns attach-agent $node $server
    set address($servers) [$node node-addr]
    set number($servers) [$server set agent_port_]
    incr servers
}

# A sender of ns-2 knows when its part has arrived a propagation delay after the client. The next block
# is therefore requested as long after the arrival of the last part as the longest link delays it.
set slowest 0
foreach delay $delays { if {$delay > $slowest} { set slowest $delay } }
set blocks -1
proc request {} {
    global servers missing blocks last requester address number
    incr blocks
    set missing $servers
    set last 0
    for {set i 0} {$i < $servers} {incr i} { $requester sendto 140 $i $address($i) $number($i) }
}
# A timer that runs on without data outstanding would move `recover_` when it expires, and bar the next
# fast retransmit (RenoTcpAgent::timeout). ns-2 stops it, as RFC 6298, section 5.2, says, only with
# QOption_, which it looks at after `done`; that option halves idle windows too, so it is on only here.
Agent/TCP instproc done {} {
    global ns away missing last slowest
    $self set QOption_ 1
    set arrived [expr [$ns now] - $away($self)]
    if {$arrived > $last} { set last $arrived }
    if {[incr missing -1] == 0} { $ns at [expr $last + $slowest] request }
}
$ns at 0 request

$ns at $seconds {
    foreach sum {arrived sent resent timeouts} { set $sum 0.0 }
    foreach {i agent} [array get tcp] {
        set arrived [expr $arrived + [$agent set ack_] + 1]
        set sent [expr $sent + [$agent set ndatapack_]]
        set resent [expr $resent + [$agent set nrexmitpack_]]
        set timeouts [expr $timeouts + [$agent set nrexmit_]]
    }
    puts [expr $arrived * 1000 * 8 / $seconds / 1e6]
    puts [expr $resent / $sent]
    puts $timeouts
    puts $blocks
    exit 0
}
$ns run
