// Flows of one congestion control of ns-3 through one drop-tail queue, for benches/bbr.py.
//
// Arguments: the type (TcpBbr or TcpCubic), the rate in bit/s, the round trip in seconds, the room
// of the buffer in packets, the seconds between the starts of the flows, how many flows there are,
// the seconds of the warm-up and of the run, the share of packets that the path loses, the initial
// slow-start threshold in octets, and the number of the draw, from one on.
// Prints for each flow its goodput in bit/s, then the mean queue in packets, both from the warm-up
// on.

#include "greedy.h"

#include <cstdlib>
#include <iostream>
#include <vector>

using namespace ns3;

namespace {

double waiting = 0;  // packets times seconds
uint32_t queued = 0;
double since = 0;

void Count(uint32_t, uint32_t now) {
    double time = Simulator::Now().GetSeconds();
    waiting += queued * (time - since);
    queued = now;
    since = time;
}

}  // namespace

int main(int argc, char* argv[]) {
    if (argc != 12) {
        std::cerr << "see the head of bbr.cc\n";
        return 2;
    }
    std::string type = argv[1], rate = argv[2];
    double roundTrip = std::atof(argv[3]), apart = std::atof(argv[5]);
    int room = std::atoi(argv[4]), flows = std::atoi(argv[6]);
    double warmUp = std::atof(argv[7]), seconds = std::atof(argv[8]), loss = std::atof(argv[9]);

    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::" + type));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(kData));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(1 << 26));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1 << 26));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
    Config::SetDefault("ns3::TcpSocket::InitialSlowStartThreshold",
                       UintegerValue(std::strtoul(argv[10], nullptr, 10)));
    RngSeedManager::SetRun(std::atoi(argv[11]));
    Config::SetDefault("ns3::TcpSocketState::EnablePacing", BooleanValue(type == "TcpBbr"));

    NodeContainer senders, routers;
    senders.Create(flows);
    routers.Create(2);
    InternetStackHelper stack;
    stack.Install(senders);
    stack.Install(routers);

    PointToPointHelper path;
    path.SetDeviceAttribute("DataRate", StringValue(rate + "bps"));
    path.SetChannelAttribute("Delay", TimeValue(Seconds(roundTrip / 2)));
    path.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue(std::to_string(room) + "p"));

    Ipv4AddressHelper address("10.0.0.0", "255.255.255.0");
    NetDeviceContainer bottleneck = path.Install(routers);
    Ipv4InterfaceContainer ends = address.Assign(bottleneck);
    // The queue of the device alone holds packets, as one of cellrelay does.
    TrafficControlHelper control;
    control.Uninstall(bottleneck);
    JoinSenders(senders, routers.Get(0), address);
    if (loss > 0) {
        Ptr<RateErrorModel> error = CreateObject<RateErrorModel>();
        error->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        error->SetRate(loss);
        bottleneck.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(error));
    }

    std::vector<Ptr<PacketSink>> sinks;
    std::vector<uint64_t> before(flows);
    for (int flow = 0; flow < flows; ++flow) {
        // Each flow draws its own phases: flows of one stream would draw the same ones.
        Simulator::Schedule(Seconds(flow == 0 ? 0 : apart * flow - 0.1), [flow] {
            Config::SetDefault("ns3::TcpBbr::Stream", UintegerValue(4 + flow));
        });
        sinks.push_back(StartGreedy(flow,
                                    senders.Get(flow),
                                    routers.Get(1),
                                    ends.GetAddress(1),
                                    Seconds(apart * flow)));
    }

    Ptr<PointToPointNetDevice> device = DynamicCast<PointToPointNetDevice>(bottleneck.Get(0));
    device->GetQueue()->TraceConnectWithoutContext("PacketsInQueue", MakeCallback(&Count));
    Simulator::Schedule(Seconds(warmUp), [&] {
        Count(0, queued);
        waiting = 0;
        for (int flow = 0; flow < flows; ++flow) {
            before[flow] = sinks[flow]->GetTotalRx();
        }
    });
    Simulator::Stop(Seconds(seconds));
    Simulator::Run();
    Count(0, queued);
    for (int flow = 0; flow < flows; ++flow) {
        std::cout << (sinks[flow]->GetTotalRx() - before[flow]) * 8 / (seconds - warmUp) << "\n";
    }
    std::cout << waiting / (seconds - warmUp) << "\n";
    Simulator::Destroy();
    return 0;
}
