// Flows of TCP through one queue of ns-3 while the rate of its link changes, for benches/steps.py.
//
// Arguments: the queue discipline (CoDelQueueDisc, or none for the queue of the device alone), the
// congestion control (TcpNewReno), the rates in bit/s before and after the step, the round trip in
// seconds, the buffer in packets, how many flows there are, the seconds within which they start, the
// second of the step, the seconds that end the phases after it, joined by commas, and the number of
// the replication, by which the flows start. Further arguments are defaults, as NAME=VALUE.
// Prints for each phase the bit/s that the link sends, the mean and the largest queue in packets.

#include "greedy.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace {

struct Course {
    std::string queue, control, rate, next;
    double roundTrip;
    std::string room;
    int flows;
    double within, step;
    std::vector<double> ends;
};

// Packets in the managed queue and in that of the device, over time.
double area = 0, since = 0;
uint64_t sent = 0;  // octets
uint32_t managed = 0, device = 0, most = 0;

void Elapse() {
    double time = Simulator::Now().GetSeconds();
    area += (managed + device) * (time - since);
    since = time;
}

// A packet on its way from the managed queue to the device is in neither for an instant.
void CountManaged(uint32_t, uint32_t now) {
    Elapse();
    managed = now;
    most = std::max(most, managed + device);
}

void CountDevice(uint32_t, uint32_t now) {
    Elapse();
    device = now;
    most = std::max(most, managed + device);
}

void CountSent(Ptr<const Packet> packet) {
    sent += packet->GetSize();
}

Course Read(char* argv[]) {
    std::istringstream list(argv[10]);
    Course course{argv[1], argv[2], argv[3], argv[4], std::atof(argv[5]), argv[6]};
    course.flows = std::atoi(argv[7]);
    course.within = std::atof(argv[8]);
    course.step = std::atof(argv[9]);
    for (std::string end; std::getline(list, end, ',');) {
        course.ends.push_back(std::stod(end));
    }
    return course;
}

void SetDefaults(const Course& course) {
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::" + course.control));
    bool paces = course.control == "TcpBbr";
    Config::SetDefault("ns3::TcpSocketState::EnablePacing", BooleanValue(paces));
    if (!paces) {
        // Proportional rate reduction, the default, is no part of RFC 6675.
        Config::SetDefault("ns3::TcpL4Protocol::RecoveryType",
                           TypeIdValue(TcpClassicRecovery::GetTypeId()));
    }
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(kData));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    // A threshold that no window reaches, and that does not overflow: see benches/bbr.py.
    Config::SetDefault("ns3::TcpSocket::InitialSlowStartThreshold", UintegerValue(1 << 30));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(1 << 22));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1 << 22));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
    Config::SetDefault("ns3::PieQueueDisc::MaxBurstAllowance", TimeValue(MilliSeconds(150)));
    // RFC 8289 keeps a packet with no more than one full packet behind it; ns-3 asks for fewer octets.
    Config::SetDefault("ns3::CoDelQueueDisc::MinBytes", UintegerValue(1501));
}

// The two ends of the path, with the queue at the first.
NetDeviceContainer Bottleneck(const Course& course, const NodeContainer& routers) {
    bool plain = course.queue == "none";
    PointToPointHelper path;
    path.SetDeviceAttribute("DataRate", StringValue(course.rate + "bps"));
    path.SetChannelAttribute("Delay", TimeValue(Seconds(course.roundTrip / 2)));
    // Below a managed queue the device holds one packet beside the one under way.
    path.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize",
                  StringValue((plain ? course.room : "1") + "p"));
    NetDeviceContainer bottleneck = path.Install(routers);
    if (!plain) {
        TrafficControlHelper control;
        control.SetRootQueueDisc("ns3::" + course.queue, "MaxSize", StringValue(course.room + "p"));
        control.Install(bottleneck.Get(0))
            .Get(0)
            ->TraceConnectWithoutContext("PacketsInQueue", MakeCallback(&CountManaged));
    }
    bottleneck.Get(0)->TraceConnectWithoutContext("PhyTxEnd", MakeCallback(&CountSent));
    DynamicCast<PointToPointNetDevice>(bottleneck.Get(0))
        ->GetQueue()
        ->TraceConnectWithoutContext("PacketsInQueue", MakeCallback(&CountDevice));
    Simulator::Schedule(Seconds(course.step), [course, bottleneck] {
        for (int end : {0, 1}) {
            DynamicCast<PointToPointNetDevice>(bottleneck.Get(end))
                ->SetDataRate(DataRate(course.next + "bps"));
        }
    });
    return bottleneck;
}

// Sends over the path, each flow from a host of its own.
void Send(const Course& course) {
    NodeContainer senders, routers;
    senders.Create(course.flows);
    routers.Create(2);
    InternetStackHelper stack;
    stack.Install(senders);
    stack.Install(routers);
    NetDeviceContainer bottleneck = Bottleneck(course, routers);
    Ipv4AddressHelper address("10.0.0.0", "255.255.255.0");
    Ipv4InterfaceContainer ends = address.Assign(bottleneck);
    TrafficControlHelper none;
    none.Uninstall(course.queue == "none" ? bottleneck : NetDeviceContainer(bottleneck.Get(1)));

    JoinSenders(senders, routers.Get(0), address);

    Ptr<UniformRandomVariable> start = CreateObject<UniformRandomVariable>();
    for (int flow = 0; flow < course.flows; ++flow) {
        Time at = Seconds(start->GetValue(0, course.within));
        StartGreedy(flow, senders.Get(flow), routers.Get(1), ends.GetAddress(1), at);
    }
}

}  // namespace

int main(int argc, char* argv[]) {
    if (argc < 12) {
        std::cerr << "see the head of steps.cc\n";
        return 2;
    }
    Course course = Read(argv);
    RngSeedManager::SetRun(std::atoi(argv[11]) + 1);
    SetDefaults(course);
    for (int given = 12; given < argc; ++given) {
        std::string one = argv[given];
        auto equals = one.find('=');
        Config::SetDefault(one.substr(0, equals), StringValue(one.substr(equals + 1)));
    }
    Send(course);
    double began = course.step;
    auto begin = [&] {
        Elapse();
        area = 0;
        sent = 0;
        most = managed + device;
    };
    Simulator::Schedule(Seconds(course.step), begin);
    for (double end : course.ends) {
        Simulator::Schedule(Seconds(end), [&, end] {
            Elapse();
            double span = end - began;
            std::cout << sent * 8 / span << "\n" << area / span << "\n" << most << "\n";
            began = end;
            begin();
        });
    }
    Simulator::Stop(Seconds(course.ends.back() + 0.001));
    Simulator::Run();
    Simulator::Destroy();
    return 0;
}
