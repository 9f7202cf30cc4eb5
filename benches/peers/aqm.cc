// Flows of TCP through one managed queue of ns-3, for benches/aqm.py.
//
// Arguments: the queue discipline (CoDelQueueDisc), the rate in bit/s, the round trip in seconds, the
// buffer in packets, how many flows there are, the seconds of the warm-up and of the run, and the
// number of the replication, by which the flows start within the first second.
// Prints the goodput of all flows in bit/s and the mean queue in packets, both from the warm-up on.

#include "greedy.h"

#include <cstdlib>
#include <iostream>
#include <vector>

using namespace ns3;

namespace {

// The mean of a number of packets over time.
struct Mean {
    double area = 0, since = 0;
    uint32_t packets = 0;

    void Set(uint32_t now) {
        double time = Simulator::Now().GetSeconds();
        area += packets * (time - since);
        packets = now;
        since = time;
    }
};

Mean managed, device;

void CountManaged(uint32_t, uint32_t now) {
    managed.Set(now);
}

void CountDevice(uint32_t, uint32_t now) {
    device.Set(now);
}

void Begin() {
    for (Mean* mean : {&managed, &device}) {
        mean->Set(mean->packets);
        mean->area = 0;
    }
}

}  // namespace

int main(int argc, char* argv[]) {
    if (argc != 9) {
        std::cerr << "see the head of aqm.cc\n";
        return 2;
    }
    std::string type = argv[1], rate = argv[2], room = argv[4];
    double roundTrip = std::atof(argv[3]);
    int flows = std::atoi(argv[5]);
    double warmUp = std::atof(argv[6]), seconds = std::atof(argv[7]);
    RngSeedManager::SetRun(std::atoi(argv[8]) + 1);

    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpNewReno"));
    // Proportional rate reduction, the default, is no part of RFC 6675.
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType",
                       TypeIdValue(TcpClassicRecovery::GetTypeId()));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(kData));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(1 << 22));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1 << 22));
    // RFC 8289 keeps a packet with no more than one full packet behind it; ns-3 asks for fewer octets.
    Config::SetDefault("ns3::CoDelQueueDisc::MinBytes", UintegerValue(1501));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));

    NodeContainer senders, routers;
    senders.Create(flows);
    routers.Create(2);
    InternetStackHelper stack;
    stack.Install(senders);
    stack.Install(routers);

    PointToPointHelper path;
    path.SetDeviceAttribute("DataRate", StringValue(rate + "bps"));
    path.SetChannelAttribute("Delay", TimeValue(Seconds(roundTrip / 2)));
    // The device holds one packet beside the one under way, which a queue of cellrelay does not.
    path.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("1p"));

    NetDeviceContainer bottleneck = path.Install(routers);
    TrafficControlHelper control, none;
    control.SetRootQueueDisc("ns3::" + type, "MaxSize", StringValue(room + "p"));
    QueueDiscContainer discs = control.Install(bottleneck.Get(0));
    Ipv4AddressHelper address("10.0.0.0", "255.255.255.0");
    Ipv4InterfaceContainer ends = address.Assign(bottleneck);
    none.Uninstall(bottleneck.Get(1));
    JoinSenders(senders, routers.Get(0), address);

    Ptr<UniformRandomVariable> start = CreateObject<UniformRandomVariable>();
    std::vector<Ptr<PacketSink>> sinks;
    for (int flow = 0; flow < flows; ++flow) {
        sinks.push_back(StartGreedy(flow,
                                    senders.Get(flow),
                                    routers.Get(1),
                                    ends.GetAddress(1),
                                    Seconds(start->GetValue())));
    }
    auto received = [&] {
        uint64_t octets = 0;
        for (const auto& sink : sinks) {
            octets += sink->GetTotalRx();
        }
        return octets;
    };

    discs.Get(0)->TraceConnectWithoutContext("PacketsInQueue", MakeCallback(&CountManaged));
    DynamicCast<PointToPointNetDevice>(bottleneck.Get(0))
        ->GetQueue()
        ->TraceConnectWithoutContext("PacketsInQueue", MakeCallback(&CountDevice));
    uint64_t before = 0;
    Simulator::Schedule(Seconds(warmUp), [&] {
        Begin();
        before = received();
    });
    Simulator::Stop(Seconds(seconds));
    Simulator::Run();
    managed.Set(0);
    device.Set(0);
    double span = seconds - warmUp;
    std::cout << (received() - before) * 8 / span << "\n";
    std::cout << (managed.area + device.area) / span << "\n";
    Simulator::Destroy();
    return 0;
}
