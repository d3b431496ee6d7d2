------------------------------ MODULE Chimera ------------------------------
(***************************************************************************)
(* The cycle protocol of docs/protocol.md, in its words.  Each action says *)
(* which class does it.  ZooKeeper is one atomic store: each of its writes *)
(* is a multi, so each is one step here.  A node may act on an old view:   *)
(* whatever any assignment of a cycle ever said, a node may still believe. *)
(*                                                                         *)
(* Every configuration beside this file says on its first line what must   *)
(* come of it.  "Without" names the rules that are left out; TLC must then *)
(* find the invariant broken that the rule is there for.                   *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets

CONSTANTS
    Q, P, C,    \* ids (numbers, all different) of queue nodes, processors, coordinators
    JG,         \* journal groups: disjoint sets of queue nodes; a lane of a queue node is a queue node here
    Edges,      \* the queue nodes that agents send to; each of their starts stamps a stream
    NS, L,      \* streams 1..NS, each of at most L records
    NG,         \* groups 0..NG-1: a cycle has one row for each
    K, Least,   \* queue.acks, queue.min_acks
    W,          \* cycle.in_flight
    MaxCycle,   \* cycles that begin at all
    MaxEpoch,   \* elections
    MaxFault,   \* crashes, expiries, lost disks, stragglers, broken transmissions, dropped stagings
    MaxLost,    \* of these, lost disks
    Lag,        \* journals are durable only after a sync, and announced positions and cuts lag behind
    Answers,    \* OK and NEED are exchanged; without, a sender may send again whenever it likes
    Loses,      \* the store may lose a row that it has accepted; delivery is exactly_once
    Without     \* rules that are left out, see Rules

Rules == { "overwrite",         \* a row is written whole, over what stands
           "own cycle",         \* a replay of cycle c writes rows of cycle c
           "all parts",         \* rows only when every part of the shard is whole
           "end",               \* a part is whole when END agrees with what came
           "owner",             \* a part is taken from its owner alone
           "begin anew",        \* a transmission starts a part from nothing; what is whole stays
           "commit last",       \* a commit only when the store has all rows
           "read back",         \* exactly_once: and when all of them were read back
           "cut of the cycle",  \* a sender sends what the cycle names, not what it holds
           "copies",            \* success only after so many journals as Copies.needed says
           "durable",           \* what counts for success is what is durable
           "stream per start",  \* each start of a queue node stamps a new stream
           "finish together",   \* a stream leaves the cut when every registered node is there and holds nothing
           "low before verified", "verified before begun", \* what journals let go of
           "epoch", "begin checks", \* what a begin checks
           "own group",         \* a part goes to a queue node of its journal group
           "numbered through",  \* the parts of a group follow those of the group before
           "all groups",        \* a cut names the streams of all groups
           "copies of the group", \* copies are counted among the queue nodes of the group
           "dead group",        \* the streams of a group without a live queue node keep their cut
           "need",              \* a processor asks for what is missing
           "session of ok" }    \* an OK of another session is ignored
ASSUME Without \subseteq Rules
\* Groups are ordered, and so are the ids of their queue nodes: the order of the ids is that of the parts.
ASSUME Q = UNION JG /\ \A g, h \in JG : g = h \/ (\A q \in g, o \in h : q < o) \/ (\A q \in g, o \in h : o < q)
Has(rule) == rule \notin Without

VARIABLES
    \* journals (ChronicleJournal, StreamLog) and streams
    jr,         \* jr[q][s]: who stamped each record, 1 to the position; 0 at and below the base
    base,       \* base[q][s]: the journal holds what lies above
    dur,        \* dur[q][s]: durable position
    disk,       \* disk[q]: FALSE from the loss of a disk to the next start
    own,        \* own[q]: the stream that this start of q stamps; 0 for none
    born,       \* born[s]: the journal group of stream s, for the streams so far
    acked,      \* acked[s]: success was answered up to here (Acknowledger)
    \* processes and their announcements (Announcer)
    up,         \* up[x]: the process runs
    live,       \* live[x]: its znode stands
    inc,        \* inc[x]: starts so far; <<x, inc[x]>> is its session
    told,       \* told[q]: bases and positions in the znode of q
    \* ZooKeeper
    epoch,      \* the version of znode epoch
    lead,       \* lead[k]: the epoch that coordinator k believes it leads
    late,       \* begins on their way to ZooKeeper
    cycles,     \* cycles/<c>; those up to low are deleted there, and kept here to look back
    assign,     \* assign/<c>: all versions, the last one stands
    commits,    \* commits/<c>/<m>
    verified,   \* verified/<c>
    low,        \* low
    \* between queue node and processor
    sent,       \* (q, c, i, m, session): all is sent (SendState SENT)
    held,       \* the same: the processor has said OK (SendState HELD)
    answers,    \* OK and NEED on their way
    \* processors and store
    stage,      \* stage[p]: parts (StagedPart)
    flushed,    \* flushed[p]: rows that the store has acknowledged to p (ShardFlush)
    sink,       \* sink[c][g][r]: how often record r is in the row of group g with the time of cycle c
    \* how much went wrong
    faults, lost

journals == <<jr, base, dur, disk, own, born, acked>>
processes == <<up, live, inc>>
cluster == <<epoch, lead, late, cycles, assign, commits, verified, low>>
sending == <<sent, held, answers>>
staging == <<stage, flushed>>
trouble == <<faults, lost>>
vars == <<journals, processes, told, cluster, sending, staging, sink, trouble>>

Streams == 1..NS
Recs == Streams \X (1..L)
Nodes == Q \cup P
Groups == 0..(NG - 1)
Session(x) == <<x, inc[x]>>
GroupOf(q) == CHOOSE g \in JG : q \in g
Home(s) == IF s <= Len(born) THEN born[s] ELSE {}
\* The streams that the journal of q holds (ClusterView.in)
Own(q) == { s \in Streams : Home(s) = GroupOf(q) }
Max(a, b) == IF a > b THEN a ELSE b
Min(a, b) == IF a < b THEN a ELSE b
Zero == [s \in Streams |-> 0]
None == [r \in Recs |-> 0]
Last(seq) == seq[Len(seq)]
\* Members are ordered by id (ClusterView).
Ordered(S) == CHOOSE f \in [1..Cardinality(S) -> S] : \A a, b \in DOMAIN f : a < b => f[a] < f[b]

----------------------------------------------------------------------------
\* What a cycle contains: a function of its record (SeriesHash, GroupKey)

PartsOf(c, g) == { i \in DOMAIN cycles[c].parts : cycles[c].parts[i] = g }
Base(c, g) == IF Has("numbered through") THEN CHOOSE i \in PartsOf(c, g) : \A j \in PartsOf(c, g) : i <= j ELSE 0
Part(r, c) == Base(c, Home(r[1])) + ((r[1] + r[2]) % Cardinality(PartsOf(c, Home(r[1]))))
N(c) == Cardinality(DOMAIN cycles[c].parts)
Group(r) == (r[2] \div 2) % NG
Shard(g, m) == g % m
ShardGroups(c, m) == { g \in Groups : Shard(g, cycles[c].m) = m }
InCycle(r, c) == cycles[c].before[r[1]] < r[2] /\ r[2] <= cycles[c].cut[r[1]]
RowOf(c, g) == { r \in Recs : InCycle(r, c) /\ Group(r) = g }
Numbers == 1..Len(cycles)
CutOf(c) == IF c = 0 THEN Zero ELSE cycles[c].cut
LastCut == CutOf(Len(cycles))
IsCommitted(c) == commits[c] = 0..(cycles[c].m - 1)
Assigned(c) == Last(assign[c])
\* What a node may take for the assignment of a cycle: that of any version
EverOwner(q, c, i) == \E v \in 1..Len(assign[c]) : assign[c][v].owners[i] = Session(q)
EverTaker(p, c, m) == \E v \in 1..Len(assign[c]) : assign[c][v].takers[m] = Session(p)
NotAlwaysOwner(q, c, i) == \E v \in 1..Len(assign[c]) : assign[c][v].owners[i] # Session(q)
NotAlwaysTaker(p, c, m) == \E v \in 1..Len(assign[c]) : assign[c][v].takers[m] # Session(p)

----------------------------------------------------------------------------
Init ==
    /\ jr = [q \in Q |-> [s \in Streams |-> <<>>]]
    /\ base = [q \in Q |-> Zero] /\ dur = [q \in Q |-> Zero]
    /\ disk = [q \in Q |-> TRUE]
    /\ own = [q \in Q |-> IF q \in Edges THEN Cardinality({e \in Edges : e <= q}) ELSE 0]
    /\ born = [s \in 1..Cardinality(Edges) |-> GroupOf(Ordered(Edges)[s])] /\ acked = Zero
    /\ up = [x \in Nodes |-> TRUE] /\ live = [x \in Nodes |-> TRUE] /\ inc = [x \in Nodes |-> 1]
    /\ told = [q \in Q |-> [base |-> Zero, position |-> Zero]]
    /\ epoch = 1 /\ lead = [k \in C |-> IF \A j \in C : k <= j THEN 1 ELSE 0]
    /\ late = {} /\ cycles = <<>> /\ assign = <<>> /\ commits = <<>> /\ verified = {} /\ low = 0
    /\ sent = {} /\ held = {} /\ answers = {}
    /\ stage = [p \in P |-> {}] /\ flushed = [p \in P |-> {}]
    /\ sink = [c \in 1..(MaxCycle + 1) |-> [g \in Groups |-> None]]
    /\ faults = 0 /\ lost = 0

----------------------------------------------------------------------------
\* Journals

LiveQ == { q \in Q : live[q] }
LiveP == { p \in P : live[p] }
LiveIn(g) == LiveQ \cap g
\* ReplicationPolicy.needed, for a stream of group g; all queue nodes of g are registered.
Needed(g) == Max(Least, Min(K, Cardinality(IF Has("copies of the group") THEN LiveIn(g) ELSE LiveQ)))

Position(q, s) == Len(jr[q][s])
Append1(q, s, stamp) ==
    /\ jr' = [jr EXCEPT ![q][s] = Append(@, stamp)]
    /\ dur' = IF Lag THEN dur ELSE [dur EXCEPT ![q][s] = @ + 1]

\* An agent's point is stamped and journaled (OwnStream.append).
Accept(q) ==
    /\ up[q] /\ own[q] # 0 /\ Position(q, own[q]) < L
    /\ Append1(q, own[q], inc[q])
    /\ UNCHANGED <<base, disk, own, born, acked, processes, told, cluster, sending, staging, sink, trouble>>

\* SUBSCRIBE and what follows: q copies the next record from o (Subscriber, Publisher, BatchReceiver).
Copy(q, o, s) ==
    /\ q # o /\ GroupOf(q) = GroupOf(o) /\ up[q] /\ up[o] /\ s # own[q]
    /\ Position(q, s) < Position(o, s) /\ base[o][s] <= Position(q, s)
    /\ Append1(q, s, jr[o][s][Position(q, s) + 1])
    /\ UNCHANGED <<base, disk, own, born, acked, processes, told, cluster, sending, staging, sink, trouble>>

\* Journal.sync
Sync(q) ==
    /\ Lag /\ up[q] /\ \E s \in Streams : dur[q][s] < Position(q, s)
    /\ dur' = [dur EXCEPT ![q] = [s \in Streams |-> Position(q, s)]]
    /\ UNCHANGED <<jr, base, disk, own, born, acked, processes, told, cluster, sending, staging, sink, trouble>>

\* Success to the client (Acknowledger.complete). What peers have reported counts, lost since or not (Followers).
Ack(q) ==
    LET s == own[q]
        reached(o) == IF Has("durable") THEN dur[o][s] ELSE Position(o, s)
    IN  /\ up[q] /\ s # 0 /\ acked[s] < reached(q)
        /\ Cardinality({o \in Q : reached(o) > acked[s]}) >= (IF Has("copies") THEN Needed(Home(s)) ELSE 1)
        /\ acked' = [acked EXCEPT ![s] = @ + 1]
        /\ UNCHANGED <<jr, base, dur, disk, own, born, processes, told, cluster, sending, staging, sink, trouble>>

\* The low-water mark is noted durably, then what lies below goes (JournalTruncator, LowWater.advance).
Mark == IF ~Has("verified before begun") THEN LastCut
        ELSE IF ~Has("low before verified") THEN CutOf(CHOOSE c \in verified \cup {0} : \A d \in verified : d <= c)
        ELSE CutOf(low)
Raised(records, from, to) == [i \in 1..Max(Len(records), to) |-> IF i <= Max(from, to) THEN 0 ELSE records[i]]
Forgets(q, s) == Mark[s] = 0 /\ base[q][s] > 0 /\ Position(q, s) = base[q][s]
Truncate(q) ==
    /\ up[q] /\ \E s \in Own(q) : base[q][s] < Mark[s] \/ Forgets(q, s)
    /\ jr' = [jr EXCEPT ![q] = [s \in Streams |->
                 IF s \notin Own(q) THEN @[s]
                 ELSE IF Forgets(q, s) THEN <<>> ELSE Raised(@[s], base[q][s], Mark[s])]]
    /\ base' = [base EXCEPT ![q] = [s \in Streams |->
                   IF s \notin Own(q) THEN @[s] ELSE IF Forgets(q, s) THEN 0 ELSE Max(@[s], Mark[s])]]
    /\ dur' = [dur EXCEPT ![q] = [s \in Streams |->
                  IF s \notin Own(q) THEN @[s] ELSE IF Forgets(q, s) THEN 0 ELSE Max(@[s], Mark[s])]]
    /\ UNCHANGED <<disk, own, born, acked, processes, told, cluster, sending, staging, sink, trouble>>

\* The znode of a queue node (queue.Announcer). Without Lag it always tells how things are.
Holdings(q) == [base |-> base[q], position |-> dur[q]]
Told(q) == IF Lag THEN told[q] ELSE Holdings(q)
Tell(q) ==
    /\ Lag /\ up[q] /\ live[q] /\ told[q] # Holdings(q)
    /\ told' = [told EXCEPT ![q] = Holdings(q)]
    /\ UNCHANGED <<journals, processes, cluster, sending, staging, sink, trouble>>

----------------------------------------------------------------------------
\* The conductor (Conductor, Cuts, Assignments, ZooKeeperConductorship)

IsGone(session) == ~live[session[1]] \/ inc[session[1]] # session[2]
HoldsAny(q, s) == Told(q).base[s] < Told(q).position[s]

\* Cuts.furthest: the K-th highest durable position among live queue nodes of the group
Furthest(s) ==
    LET enough(i) == Cardinality({q \in LiveQ : Told(q).position[s] >= i}) >= Needed(Home(s))
    IN  Max(LastCut[s], CHOOSE i \in 0..L : (i = 0 \/ enough(i)) /\ (i = L \/ ~enough(i + 1)))
\* Cuts.isFinished
IsFinished(s) ==
    /\ LiveIn(Home(s)) = Home(s) \/ ~Has("finish together") \/ (LiveIn(Home(s)) = {} /\ ~Has("dead group"))
    /\ \A q \in LiveIn(Home(s)) : own[q] # s /\ Told(q).position[s] <= LastCut[s] /\ ~HoldsAny(q, s)
IsKnown(s) == LastCut[s] > 0 \/ \E q \in LiveQ : HoldsAny(q, s)
\* With Lag a cut may also stay behind (Cuts.limited).
Cuts == { cut \in [Streams -> 0..L] : \A s \in Streams :
            IF IsFinished(s) \/ ~IsKnown(s) \/ (~Has("all groups") /\ 1 \notin Home(s)) THEN cut[s] = 0
            ELSE cut[s] <= Furthest(s) /\ cut[s] >= (IF Lag THEN LastCut[s] ELSE Furthest(s)) }
Covers(q, before, cut) == \A s \in Own(q) : cut[s] > before[s] => Told(q).base[s] <= before[s]

BeginOf(k, cut) ==
    LET able == { q \in LiveQ : Covers(q, LastCut, cut) }
        queues == Ordered(LiveQ)
        processors == Ordered(LiveP)
        taker(g) == CHOOSE q \in able \cap g : \A o \in able \cap g : q <= o
    IN  [epoch |-> lead[k], number |-> Len(cycles) + 1,
         cycle |-> [before |-> LastCut, cut |-> cut, m |-> Len(processors),
                    parts |-> [i \in 0..(Len(queues) - 1) |-> GroupOf(queues[i + 1])]],
         first |-> [owners |-> [i \in 0..(Len(queues) - 1) |->
                       Session(IF queues[i + 1] \in able THEN queues[i + 1]
                               ELSE taker(GroupOf(queues[i + 1])))],
                    takers |-> [m \in 0..(Len(processors) - 1) |-> Session(processors[m + 1])]]]
Begins(k) ==
    IF LiveQ = {} \/ LiveP = {} \/ Len(cycles) >= MaxCycle \/ Len(cycles) - low >= W THEN {}
    ELSE { BeginOf(k, cut) : cut \in { d \in Cuts :
              /\ \E s \in Streams : d[s] > LastCut[s]
              /\ \A g \in JG : LiveIn(g) = {} \/ \E q \in LiveIn(g) : Covers(q, LastCut, d) } }

\* multi(check epoch, low and the cycle before; create cycles/<c>, assign/<c>)
WriteBegin(begin) ==
    /\ Len(cycles) < MaxCycle
    /\ Has("epoch") => begin.epoch = epoch
    /\ IF Has("begin checks") THEN begin.number = Len(cycles) + 1
       ELSE begin.number = Len(cycles) + 1 \/ begin.number <= low   \* deleted, so it can be created again
    /\ cycles' = Append(cycles, begin.cycle)
    /\ assign' = Append(assign, <<begin.first>>)
    /\ commits' = Append(commits, {})

Begin(k) ==
    /\ lead[k] = epoch /\ \A begin \in late : begin.epoch # lead[k]   \* one write at a time
    /\ \E begin \in Begins(k) : WriteBegin(begin)
    /\ UNCHANGED <<epoch, lead, late, verified, low, journals, processes, told, sending, staging, sink, trouble>>

\* A begin that stays on its way while another coordinator takes the lead
BeginLate(k) ==
    /\ lead[k] = epoch /\ epoch < MaxEpoch /\ late = {}
    /\ \E begin \in Begins(k) : late' = {begin}
    /\ UNCHANGED <<epoch, lead, cycles, assign, commits, verified, low, journals, processes, told, sending, staging,
                   sink, trouble>>
ArriveLate ==
    /\ \E begin \in late : WriteBegin(begin) /\ late' = late \ {begin}
    /\ UNCHANGED <<epoch, lead, verified, low, journals, processes, told, sending, staging, sink, trouble>>
\* Election: the other one does not notice at once.
Elect(k) ==
    /\ epoch < MaxEpoch /\ lead[k] # epoch
    /\ epoch' = epoch + 1 /\ lead' = [lead EXCEPT ![k] = epoch + 1]
    /\ UNCHANGED <<late, cycles, assign, commits, verified, low, journals, processes, told, sending, staging, sink,
                   trouble>>

\* Rule 5. multi(check epoch, set assign/<c> at its version): of those who write, one succeeds.
Leads == \E k \in C : lead[k] = epoch
MayOwn(q, c, i) == cycles[c].parts[i] = GroupOf(q) \/ ~Has("own group")
ReassignParts(c, q) ==
    /\ Leads /\ c \in Numbers /\ c > low /\ ~IsCommitted(c)
    /\ live[q] /\ Covers(q, cycles[c].before, cycles[c].cut)
    /\ \E i \in DOMAIN Assigned(c).owners : IsGone(Assigned(c).owners[i]) /\ MayOwn(q, c, i)
    /\ assign' = [assign EXCEPT ![c] = Append(@, [Last(@) EXCEPT !.owners =
                     [i \in DOMAIN @ |-> IF IsGone(@[i]) /\ MayOwn(q, c, i) THEN Session(q) ELSE @[i]]])]
    /\ UNCHANGED <<epoch, lead, late, cycles, commits, verified, low, journals, processes, told, sending, staging,
                   sink, trouble>>
ReassignShards(c, p) ==
    LET gone == { m \in DOMAIN Assigned(c).takers : m \notin commits[c] /\ IsGone(Assigned(c).takers[m]) }
    IN  /\ Leads /\ c \in Numbers /\ c > low /\ live[p] /\ gone # {}
        /\ assign' = [assign EXCEPT ![c] = Append(@, [Last(@) EXCEPT !.takers =
                         [m \in DOMAIN @ |-> IF m \in gone THEN Session(p) ELSE @[m]]])]
        /\ UNCHANGED <<epoch, lead, late, cycles, commits, verified, low, journals, processes, told, sending, staging,
                       sink, trouble>>

\* Work is taken from a session that lives and lags (Stragglers): a shard by anybody, a part by a queue node of its
\* group that holds all records of the group.
MoveShard(c, m, p) ==
    /\ Leads /\ faults < MaxFault /\ faults' = faults + 1 /\ c \in Numbers /\ c > low /\ m \in DOMAIN Assigned(c).takers
    /\ m \notin commits[c] /\ live[p] /\ Assigned(c).takers[m] # Session(p) /\ ~IsGone(Assigned(c).takers[m])
    /\ assign' = [assign EXCEPT ![c] = Append(@, [Last(@) EXCEPT !.takers[m] = Session(p)])]
    /\ UNCHANGED <<epoch, lead, late, cycles, commits, verified, low, journals, processes, told, sending, staging,
                   sink, lost>>
Holds(q, c) == \A s \in Own(q) : cycles[c].cut[s] > cycles[c].before[s] => Told(q).position[s] >= cycles[c].cut[s]
MovePart(c, i, q) ==
    /\ Leads /\ faults < MaxFault /\ faults' = faults + 1 /\ c \in Numbers /\ c > low /\ i \in DOMAIN Assigned(c).owners
    /\ MayOwn(q, c, i) /\ ~IsCommitted(c) /\ live[q]
    /\ Assigned(c).owners[i] # Session(q) /\ ~IsGone(Assigned(c).owners[i])
    /\ Covers(q, cycles[c].before, cycles[c].cut) /\ Holds(q, c)
    /\ assign' = [assign EXCEPT ![c] = Append(@, [Last(@) EXCEPT !.owners[i] = Session(q)])]
    /\ UNCHANGED <<epoch, lead, late, cycles, commits, verified, low, journals, processes, told, sending, staging,
                   sink, lost>>

\* Rule 6
Verify(c) ==
    /\ Leads /\ c \in Numbers /\ c > low /\ c \notin verified /\ IsCommitted(c)
    /\ verified' = verified \cup {c}
    /\ UNCHANGED <<epoch, lead, late, cycles, assign, commits, low, journals, processes, told, sending, staging, sink,
                   trouble>>
Advance ==
    /\ Leads /\ low + 1 \in verified
    /\ low' = CHOOSE c \in verified : (low + 1)..c \subseteq verified /\ c + 1 \notin verified
    /\ UNCHANGED <<epoch, lead, late, cycles, assign, commits, verified, journals, processes, told, sending, staging,
                   sink, trouble>>

----------------------------------------------------------------------------
\* From queue node to processor (ChannelManager, Transmission; StagingAgent, PartReceiver)

\* CycleReader.covers
CanRead(q, c) == \A s \in Own(q) : cycles[c].cut[s] > cycles[c].before[s] =>
    base[q][s] <= cycles[c].before[s] /\ (Has("cut of the cycle") => Position(q, s) >= cycles[c].cut[s])
Taken(q, r, c) == IF Has("cut of the cycle") THEN InCycle(r, c)
                  ELSE cycles[c].before[r[1]] < r[2] /\ r[2] <= Position(q, r[1])
PartOf(q, c, i, m) == { r \in Recs : r[1] \in Own(q) /\ Taken(q, r, c) /\ Part(r, c) = i
                                     /\ Shard(Group(r), cycles[c].m) = m }
Bag(S) == [r \in Recs |-> IF r \in S THEN 1 ELSE 0]
Plus(a, b) == [r \in Recs |-> Min(2, a[r] + b[r])]
Found(p, c, i, m) == { x \in stage[p] : x.c = c /\ x.i = i /\ x.m = m }
IsWhole(p, c, i, m) == \E x \in Found(p, c, i, m) : x.whole
\* What is staged after DATA: a new transmission drops what was there.
After(p, c, i, m, records, whole) ==
    LET old == Found(p, c, i, m)
        held0 == IF Has("begin anew") \/ old = {} THEN None ELSE (CHOOSE x \in old : TRUE).bag
    IN  (stage[p] \ old) \cup {[c |-> c, i |-> i, m |-> m, bag |-> Plus(held0, Bag(records)), whole |-> whole]}
Piece(q, c, i, m, p) == <<Session(q), c, i, m, Session(p)>>
MaySend(q, p, c, i, m) ==
    /\ up[q] /\ up[p] /\ c \in Numbers /\ i < N(c) /\ m \in 0..(cycles[c].m - 1) /\ m \notin commits[c]
    /\ EverOwner(q, c, i) /\ EverTaker(p, c, m) /\ CanRead(q, c)
    /\ IF Answers THEN Piece(q, c, i, m, p) \notin sent \cup held ELSE Has("begin anew") => ~IsWhole(p, c, i, m)

\* HELLO, DATA, END all arrive. A part that is whole already stays as it is, and is answered OK.
Send(q, p, c, i, m) ==
    /\ MaySend(q, p, c, i, m)
    /\ stage' = IF Has("begin anew") /\ IsWhole(p, c, i, m) THEN stage
                ELSE [stage EXCEPT ![p] = After(p, c, i, m, PartOf(q, c, i, m), TRUE)]
    /\ IF Answers THEN /\ sent' = sent \cup {Piece(q, c, i, m, p)}
                       /\ answers' = answers \cup {<<"OK", Piece(q, c, i, m, p)>>}
       ELSE UNCHANGED <<sent, answers>>
    /\ UNCHANGED <<held, flushed, journals, processes, told, cluster, sink, trouble>>
\* The processor's view does not show that the shard is its own, or that the sender owns the part: it ignores all of it
\* (KnownCycles.verdict). A sender that the view names as the owner later is asked with NEED.
SendInVain(q, p, c, i, m) ==
    /\ Answers /\ faults < MaxFault /\ MaySend(q, p, c, i, m)
    /\ NotAlwaysTaker(p, c, m) \/ NotAlwaysOwner(q, c, i)
    /\ sent' = sent \cup {Piece(q, c, i, m, p)} /\ faults' = faults + 1
    /\ UNCHANGED <<held, answers, lost, staging, journals, processes, told, cluster, sink>>
\* Somebody who does not own the part sends an END of nothing.
Foreign(p, c, i, m) ==
    /\ ~Has("owner") /\ up[p] /\ c \in Numbers /\ i < N(c) /\ m \in 0..(cycles[c].m - 1) /\ m \notin commits[c]
    /\ EverTaker(p, c, m) /\ ~IsWhole(p, c, i, m)
    /\ stage' = [stage EXCEPT ![p] = After(p, c, i, m, {}, TRUE)]
    /\ UNCHANGED <<flushed, sending, journals, processes, told, cluster, sink, trouble>>
Between(q, p, pieces) == { x \in pieces : x[1] = Session(q) /\ x[5] = Session(p) }
\* The connection breaks in the middle: some records came, END did not. What was sent but not answered is pending again.
SendBroken(q, p, c, i, m) ==
    /\ Answers /\ faults < MaxFault /\ MaySend(q, p, c, i, m) /\ ~IsWhole(p, c, i, m) /\ faults' = faults + 1
    /\ \E some \in SUBSET PartOf(q, c, i, m) :
          /\ some # {}
          /\ stage' = [stage EXCEPT ![p] = After(p, c, i, m, some, ~Has("end"))]
    /\ sent' = sent \ Between(q, p, sent)
    /\ answers' = { a \in answers : a[2] \notin Between(q, p, {a[2]}) }
    /\ UNCHANGED <<held, lost, flushed, journals, processes, told, cluster, sink>>

\* SendState.held, SendState.needed
Receive(a) ==
    LET q == a[2][1][1]
        c == a[2][2]
        taker == Assigned(c).takers[a[2][4]]
        piece == IF Has("session of ok") THEN a[2] ELSE <<a[2][1], c, a[2][3], a[2][4], taker>>
    IN  /\ a \in answers /\ answers' = answers \ {a}
        /\ IF ~up[q] \/ Session(q) # a[2][1] THEN UNCHANGED <<sent, held>>
           ELSE IF a[1] = "OK" THEN /\ held' = held \cup {piece} /\ sent' = sent \ {piece}
           ELSE /\ sent' = sent \ {a[2]} /\ held' = held \ {a[2]}
        /\ UNCHANGED <<journals, processes, told, cluster, staging, sink, trouble>>
\* staging.Reconciler.ask: of the owner that the view names, for a part of which nothing came for long
Need(p, c, i, m) ==
    /\ Has("need") /\ Answers /\ up[p] /\ c \in Numbers /\ c > low
    /\ i < N(c) /\ m \in 0..(cycles[c].m - 1) /\ m \notin commits[c]
    /\ Assigned(c).takers[m] = Session(p) /\ ~IsWhole(p, c, i, m)
    /\ LET owner == Assigned(c).owners[i]
           piece == <<owner, c, i, m, Session(p)>>
       IN  /\ up[owner[1]] /\ inc[owner[1]] = owner[2] /\ piece \in sent \cup held
           /\ \A t \in {"OK", "NEED"} : <<t, piece>> \notin answers
           /\ answers' = answers \cup {<<"NEED", piece>>}
    /\ UNCHANGED <<sent, held, journals, processes, told, cluster, staging, sink, trouble>>

----------------------------------------------------------------------------
\* Processor: flush and commit (staging.Reconciler, FlusherAgent, PendingCommits, Committer)

AreWhole(p, c, m) == \A i \in 0..(N(c) - 1) : IsWhole(p, c, i, m)
Count(p, c, m, r) == LET bags == { x \in stage[p] : x.c = c /\ x.m = m /\ x.bag[r] > 0 }
                     IN  IF bags = {} THEN 0 ELSE (CHOOSE x \in bags : TRUE).bag[r]
Row(p, c, m, g) == [r \in Recs |-> IF Group(r) = g THEN Count(p, c, m, r) ELSE 0]
TimeOf(c) == IF ~Has("own cycle") /\ Len(assign[c]) > 1 THEN c + 1 ELSE c

\* One row reaches the store. A crash between two rows is a flush half done; one that lost the shard may still write.
Flush(p, c, m, g) ==
    /\ up[p] /\ c \in Numbers /\ m \in 0..(cycles[c].m - 1) /\ g \in ShardGroups(c, m)
    /\ IF Has("all parts") THEN AreWhole(p, c, m) ELSE \E i \in 0..(N(c) - 1) : IsWhole(p, c, i, m)
    /\ <<c, g>> \notin flushed[p] /\ Row(p, c, m, g) # None
    /\ sink' = [sink EXCEPT ![TimeOf(c)][g] =
                   IF Has("overwrite") THEN Row(p, c, m, g) ELSE Plus(@, Row(p, c, m, g))]
    /\ flushed' = [flushed EXCEPT ![p] = @ \cup {<<c, g>>}]
    /\ UNCHANGED <<stage, journals, processes, told, cluster, sending, trouble>>
DropShard(p, c, m) ==
    /\ stage' = [stage EXCEPT ![p] = { x \in @ : x.c # c \/ x.m # m }]
    /\ flushed' = [flushed EXCEPT ![p] = { x \in @ : x[1] # c \/ x[2] \notin ShardGroups(c, m) }]
\* multi(check version of assign/<c>, create commits/<c>/<m>): only under the assignment that stands
Commit(p, c, m) ==
    /\ up[p] /\ c \in Numbers /\ m \in 0..(cycles[c].m - 1) /\ m \notin commits[c]
    /\ Assigned(c).takers[m] = Session(p) /\ AreWhole(p, c, m)
    /\ Has("commit last") => \A g \in ShardGroups(c, m) : Row(p, c, m, g) = None \/ <<c, g>> \in flushed[p]
    /\ Loses /\ Has("read back") => \A g \in ShardGroups(c, m) : sink[c][g] = Row(p, c, m, g)
    /\ commits' = [commits EXCEPT ![c] = @ \cup {m}]
    /\ IF Has("commit last") THEN DropShard(p, c, m) ELSE UNCHANGED staging
    /\ UNCHANGED <<epoch, lead, late, cycles, assign, verified, low, journals, processes, told, sending, sink, trouble>>
\* A row that is not found when it is read back is written again. What was read back once stays (StoreFlush).
WriteAgain(p, c, m, g) ==
    /\ Loses /\ Has("read back") /\ up[p] /\ c \in Numbers /\ <<c, g>> \in flushed[p]
    /\ g \in ShardGroups(c, m) /\ m \notin commits[c] /\ AreWhole(p, c, m) /\ sink[c][g] # Row(p, c, m, g)
    /\ flushed' = [flushed EXCEPT ![p] = @ \ {<<c, g>>}]
    /\ UNCHANGED <<stage, journals, processes, told, cluster, sending, sink, trouble>>
\* What another has committed, or has now, is let go of.
LetGo(p, c, m) ==
    /\ Answers /\ up[p] /\ c \in Numbers /\ m \in 0..(cycles[c].m - 1) /\ \E x \in stage[p] : x.c = c /\ x.m = m
    /\ m \in commits[c] \/ Assigned(c).takers[m] # Session(p)
    /\ DropShard(p, c, m)
    /\ UNCHANGED <<journals, processes, told, cluster, sending, sink, trouble>>
\* An older cycle needs the room, or an aggregator fails (PartReceiver.onFull, StagedPart.refuse).
Drop(p, c, m) ==
    /\ Answers /\ faults < MaxFault /\ faults' = faults + 1
    /\ up[p] /\ c \in Numbers /\ m \in 0..(cycles[c].m - 1) /\ m \notin commits[c]
    /\ \E x \in stage[p] : x.c = c /\ x.m = m
    /\ ~\E g \in ShardGroups(c, m) : <<c, g>> \in flushed[p]
    /\ DropShard(p, c, m)
    /\ UNCHANGED <<lost, journals, processes, told, cluster, sending, sink>>

----------------------------------------------------------------------------
\* Faults

\* What is not durable is gone: a power cut, not only the end of the process.
Stop(x) ==
    /\ up' = [y \in Nodes |-> up[y] /\ y \notin x]
    /\ jr' = [q \in Q |-> IF q \in x THEN [s \in Streams |-> SubSeq(jr[q][s], 1, dur[q][s])] ELSE jr[q]]
    /\ stage' = [p \in P |-> IF p \in x THEN {} ELSE stage[p]]
    /\ flushed' = [p \in P |-> IF p \in x THEN {} ELSE flushed[p]]
    /\ sent' = { y \in sent : y[1][1] \notin x /\ y[5][1] \notin x }
    /\ held' = { y \in held : y[1][1] \notin x /\ y[5][1] \notin x }
Crash(x) ==
    /\ faults < MaxFault /\ up[x] /\ faults' = faults + 1
    /\ Stop({x})
    /\ UNCHANGED <<base, dur, disk, own, born, acked, live, inc, told, cluster, answers, sink, lost>>
PowerCut ==
    /\ Lag /\ faults < MaxFault /\ (\E q \in Q : up[q]) /\ faults' = faults + 1
    /\ Stop(Q)
    /\ UNCHANGED <<base, dur, disk, own, born, acked, live, inc, told, cluster, answers, sink, lost>>
\* The disk is gone with all that was on it; what the node has announced still stands.
LoseDisk(q) ==
    /\ faults < MaxFault /\ lost < MaxLost /\ disk[q] /\ faults' = faults + 1 /\ lost' = lost + 1
    /\ disk' = [disk EXCEPT ![q] = FALSE]
    /\ Stop({q})
    /\ UNCHANGED <<base, dur, own, born, acked, live, inc, told, cluster, answers, sink>>
\* The session with ZooKeeper expires; the process goes on (a pause, a partition) and comes back as the same session.
Expire(x) ==
    /\ faults < MaxFault /\ up[x] /\ live[x] /\ faults' = faults + 1
    /\ live' = [live EXCEPT ![x] = FALSE]
    /\ UNCHANGED <<up, inc, told, journals, cluster, sending, staging, sink, lost>>
Return(x) ==
    /\ up[x] /\ ~live[x] /\ live' = [live EXCEPT ![x] = TRUE]
    /\ told' = IF Lag /\ x \in Q THEN [told EXCEPT ![x] = Holdings(x)] ELSE told
    /\ UNCHANGED <<up, inc, journals, cluster, sending, staging, sink, trouble>>
ExpireDead(x) ==
    /\ ~up[x] /\ live[x] /\ live' = [live EXCEPT ![x] = FALSE]
    /\ UNCHANGED <<up, inc, told, journals, cluster, sending, staging, sink, trouble>>
\* KairosDB answers when points are queued, and may drop them later.
LoseRow(c, g) ==
    /\ Loses /\ faults < MaxFault /\ faults' = faults + 1
    /\ c \in Numbers /\ Shard(g, cycles[c].m) \notin commits[c] /\ sink[c][g] # None
    /\ sink' = [sink EXCEPT ![c][g] = None]
    /\ UNCHANGED <<lost, journals, processes, told, cluster, sending, staging>>
\* A new start is a new session; it waits until the znode of the one before is gone. It has what its disk has.
Start(x) ==
    /\ ~up[x] /\ ~live[x]
    /\ up' = [up EXCEPT ![x] = TRUE] /\ live' = [live EXCEPT ![x] = TRUE] /\ inc' = [inc EXCEPT ![x] = @ + 1]
    /\ IF x \notin Q THEN UNCHANGED <<journals, told>>
       ELSE LET empty == ~disk[x]
                stamps == IF x \notin Edges THEN 0
                          ELSE IF ~Has("stream per start") THEN own[x]
                          ELSE IF Len(born) < NS THEN Len(born) + 1 ELSE 0
            IN  /\ disk' = [disk EXCEPT ![x] = TRUE]
                /\ jr' = IF empty THEN [jr EXCEPT ![x] = [s \in Streams |-> <<>>]] ELSE jr
                /\ base' = IF empty THEN [base EXCEPT ![x] = Zero] ELSE base
                /\ dur' = IF empty THEN [dur EXCEPT ![x] = Zero] ELSE dur
                /\ told' = IF Lag THEN [told EXCEPT ![x] = [base |-> base'[x], position |-> dur'[x]]] ELSE told
                /\ own' = [own EXCEPT ![x] = stamps]
                /\ born' = IF stamps > Len(born) THEN Append(born, GroupOf(x)) ELSE born
                /\ UNCHANGED acked
    /\ UNCHANGED <<cluster, sending, staging, sink, trouble>>

----------------------------------------------------------------------------
Ns == 0..(Cardinality(Q) - 1)
Ms == 0..(Cardinality(P) - 1)
Cs == 1..MaxCycle
Next ==
    \/ \E q \in Q : Accept(q) \/ Sync(q) \/ Ack(q) \/ Truncate(q) \/ Tell(q) \/ LoseDisk(q)
    \/ \E q, o \in Q, s \in Streams : Copy(q, o, s)
    \/ \E k \in C : Begin(k) \/ BeginLate(k) \/ Elect(k)
    \/ ArriveLate \/ Advance \/ PowerCut
    \/ \E c \in Cs : Verify(c) \/ (\E q \in Q : ReassignParts(c, q)) \/ (\E p \in P : ReassignShards(c, p))
    \/ \E c \in Cs, i \in Ns, q \in Q : MovePart(c, i, q)
    \/ \E c \in Cs, m \in Ms, p \in P : MoveShard(c, m, p)
    \/ \E q \in Q, p \in P, c \in Cs, i \in Ns, m \in Ms :
          Send(q, p, c, i, m) \/ SendInVain(q, p, c, i, m) \/ SendBroken(q, p, c, i, m)
    \/ \E a \in answers : Receive(a)
    \/ \E p \in P, c \in Cs, m \in Ms :
          \/ Commit(p, c, m) \/ LetGo(p, c, m) \/ Drop(p, c, m)
          \/ \E i \in Ns : Need(p, c, i, m) \/ Foreign(p, c, i, m)
          \/ \E g \in Groups : Flush(p, c, m, g) \/ WriteAgain(p, c, m, g)
    \/ \E c \in Cs, g \in Groups : LoseRow(c, g)
    \/ \E x \in Nodes : Crash(x) \/ Expire(x) \/ Return(x) \/ ExpireDead(x) \/ Start(x)
Spec == Init /\ [][Next]_vars

\* What is able to act acts in the end; agents and faults owe nothing.
Fair ==
    /\ \A q \in Q : WF_vars(Sync(q)) /\ WF_vars(Ack(q)) /\ WF_vars(Tell(q))
    /\ \A q, o \in Q, s \in Streams : WF_vars(Copy(q, o, s))
    /\ WF_vars(\E k \in C : Begin(k))
    /\ WF_vars(Advance)
    /\ WF_vars(\E a \in answers : Receive(a))
    /\ \A c \in Cs :
          /\ WF_vars(Verify(c))
          /\ WF_vars(\E q \in Q : ReassignParts(c, q))
          /\ WF_vars(\E p \in P : ReassignShards(c, p))
          /\ \A m \in Ms, p \in P :
                /\ WF_vars(Commit(p, c, m))
                /\ \A g \in Groups : WF_vars(Flush(p, c, m, g)) /\ WF_vars(WriteAgain(p, c, m, g))
                /\ \A i \in Ns : WF_vars(Need(p, c, i, m)) /\ \A q \in Q : WF_vars(Send(q, p, c, i, m))
    /\ \A x \in Nodes : WF_vars(Return(x)) /\ WF_vars(ExpireDead(x)) /\ WF_vars(Start(x))
FairSpec == Spec /\ Fair

----------------------------------------------------------------------------
\* What must always hold

Committed(r) == \E c \in Numbers : InCycle(r, c) /\ Shard(Group(r), cycles[c].m) \in commits[c]
Survives(r) == \E q \in Q : disk[q] /\ base[q][r[1]] < r[2] /\ r[2] <= Position(q, r[1])
Acked(r) == r[2] <= acked[r[1]]

\* A cycle begins where the one before it ends; a stream goes forward or, finished, leaves.
CutsMonotone == \A c \in Numbers :
    /\ cycles[c].before = CutOf(c - 1)
    /\ \A s \in Streams : cycles[c].cut[s] >= cycles[c].before[s] \/ cycles[c].cut[s] = 0
\* No record belongs to two cycles.
Content == \A r \in Recs : Cardinality({c \in Numbers : InCycle(r, c)}) <= 1
\* (stream, sequence number) names one point for ever.
OneRecord == \A q, o \in Q, s \in Streams : \A i \in 1..Min(Position(q, s), Position(o, s)) :
    i > base[q][s] /\ i > base[o][s] => jr[q][s][i] = jr[o][s][i]
\* A row is not there, or whole.
RowExact == \A c \in Numbers, g \in Groups :
    LET got == { r \in Recs : sink[c][g][r] > 0 } IN got = {} \/ got = RowOf(c, g)
\* No record is in the store twice.
NoDouble == \A r \in Recs : LET times == { c \in 1..(MaxCycle + 1) : sink[c][Group(r)][r] > 0 }
    IN  Cardinality(times) <= 1 /\ \A c \in times : sink[c][Group(r)][r] = 1
\* What is committed is in the store.
CommitStored == \A c \in Numbers, g \in Groups :
    Shard(g, cycles[c].m) \in commits[c] => { r \in Recs : sink[c][g][r] > 0 } = RowOf(c, g)
\* What was answered with success is in a committed shard or on a disk.
NoLoss == \A r \in Recs : Acked(r) => Committed(r) \/ Survives(r)
\* What a cycle names and is not committed can be sent again.
Replayable == \A r \in Recs, c \in Numbers : InCycle(r, c) => Committed(r) \/ Survives(r)
Window == Len(cycles) - low <= W
\* The mark is the end of the verified prefix, and what is verified is committed.
LowIsPrefix == (\A c \in 1..low : c \in verified) /\ \A c \in verified : IsCommitted(c)

\* When faults stop, every record that was answered with success is committed, and every cycle is closed.
Live == \A r \in Recs : Acked(r) ~> (Committed(r) \/ Len(cycles) = MaxCycle)
\* Whatever an edge has journaled is committed, unless its disk is lost.
Flows == \A r \in Recs : Survives(r) ~> (Committed(r) \/ ~Survives(r) \/ Len(cycles) = MaxCycle)
Closes == \A c \in Cs : (Len(cycles) >= c) ~> (low >= c)
=============================================================================
