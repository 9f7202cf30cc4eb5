# ns fall-floyd.tcl VARIANT "LOST ..." RFC2988 TRACE: one connection that loses the packets named, as in
# examples/fall-floyd.toml. Prints what was acknowledged and sent by second 6. With RFC2988 true the
# shortest timeout is backed off as well.

set variant [lindex $argv 0]
set lost    [lindex $argv 1]
set trace   [open [lindex $argv 3] w]

# The options of 1996, when the traces of the variants were published.
Agent/TCP set window_          28
Agent/TCP set packetSize_      1000
Agent/TCP set useHeaders_      true
Agent/TCP set windowInit_      1
Agent/TCP set delay_growth_    false
Agent/TCP set tcpTick_         0.01
Agent/TCP set minrto_          1
Agent/TCP set rtxcur_init_     6.0
Agent/TCP set rfc2988_         [lindex $argv 2]
Agent/TCP set updated_rttvar_  false
Agent/TCP set singledup_       0
Agent/TCP set precisionReduce_ false
Agent/TCP/Newreno set newreno_changes_           0
Agent/TCP/Newreno set newreno_changes1_          0
Agent/TCP/Newreno set partial_window_deflation_  0
Agent/TCP/Newreno set exit_recovery_fix_         0

set ns [new Simulator]
set sender [$ns node]
set router [$ns node]
set sink   [$ns node]
$ns duplex-link $sender $router 8Mb 0ms DropTail
$ns duplex-link $router $sink 0.8Mb 100ms DropTail
$ns queue-limit $router $sink 8
$ns trace-queue $router $sink $trace

set errors [new ErrorModel/List]
$errors droplist $lost
$errors drop-target [new Agent/Null]
$ns lossmodel $errors $router $sink

set receiver TCPSink
if {$variant == "TCP/Sack1"} { set receiver TCPSink/Sack1 }
set tcp [$ns create-connection $variant $sender $receiver $sink 0]
set ftp [$tcp attach-app FTP]

$ns at 1.0 "$ftp start"
$ns at 6.0 {
    puts "[$tcp set ack_] [$tcp set maxseq_]"
    $ns flush-trace
    exit 0
}
$ns run
