package io.chimera.common.metrics;

/** Every counter of a queue node, by stage from the outside in. */
public enum QueueCounter implements CounterDescriptor {
    // source

    /** Bytes of all inputs. */
    SOURCE_BYTES_RECEIVED("source", "bytes_received", "Bytes received over all inputs, unpacked."),
    /** Connections over TCP. */
    SOURCE_CONNECTIONS("source", "connections", "TCP connections accepted."),
    /** Requests over HTTP. */
    SOURCE_REQUESTS("source", "requests", "HTTP requests received."),
    /** Requests answered 503. */
    SOURCE_REQUESTS_REFUSED("source", "requests_refused", "HTTP requests answered 503, to be sent again."),
    /** Requests answered 4xx. */
    SOURCE_REQUESTS_BAD("source", "requests_bad", "HTTP requests answered 4xx: bad points in it, or not understood."),
    /** Datagrams received. */
    SOURCE_DATAGRAMS("source", "datagrams", "Datagrams received."),
    /** Datagrams lost to a full ring. */
    SOURCE_DATAGRAMS_DROPPED("source", "datagrams_dropped", "Datagrams dropped, whole or in part: the ring was full."),
    /** Times that a source found the ring full. */
    SOURCE_RING_FULL("source", "ring_full", "Times that a source found the ring full and had to wait or drop."),
    /** Source plugins. */
    SOURCE_PLUGINS_RESTARTED("source", "plugins_restarted", "Times that a source plugin failed and was opened anew."),
    /** New series. */
    SOURCE_SERIES_NEW("source", "series_new", "Series that an input did not know before."),
    /** Points of new series beyond a limit. */
    SOURCE_SERIES_REFUSED(
            "source", "series_refused", "Points refused because the input or the sender has too many new series."),
    /** Slots handed to the journaler. */
    SOURCE_BATCHES("source", "batches", "Batches handed to the journaler."),
    /** Bytes of records handed to the journaler. */
    SOURCE_RECORD_BYTES("source", "record_bytes", "Bytes of flat records handed to the journaler."),

    // capture

    /** Packets received. */
    CAPTURE_PACKETS("capture", "packets", "Packets received, of whatever kind."),
    /** Their bytes. */
    CAPTURE_BYTES("capture", "bytes", "Bytes of these packets on the wire."),
    /** Lost ahead of this process. */
    CAPTURE_DROPPED_RING(
            "capture",
            "packets_dropped_ring",
            "Packets lost as the socket or ring of the capture was full: the node was too slow."),
    /** Lost ahead of the socket. */
    CAPTURE_DROPPED_INTERFACE(
            "capture", "packets_dropped_interface", "Packets that the interface dropped, whoever they were for."),
    /** Lost to a full table. */
    CAPTURE_UNPLACED(
            "capture",
            "packets_unplaced",
            "Packets in no flow: the flow table was full, and none of its records could be handed on."),
    /** Other protocols. */
    CAPTURE_NOT_IP("capture", "packets_not_ip", "Packets that are not IP, and so in no flow."),
    /** Damaged. */
    CAPTURE_MALFORMED("capture", "packets_malformed", "Packets that were damaged or cut too short, and so in no flow."),
    /** Flows. */
    CAPTURE_FLOWS("capture", "flows", "Flows begun; one that goes on in another record is counted once."),
    /** Records. */
    CAPTURE_RECORDS("capture", "records", "Records of flows that ended, or were cut as their flow went on."),
    /** Early ends. */
    CAPTURE_EVICTED("capture", "flows_evicted", "Flows that ended early, to make room in the flow table."),
    /** Failures. */
    CAPTURE_FAILURES(
            "capture", "failures", "Times that a capture failed and was opened anew, and files that are damaged."),

    // parser

    /** Good points. */
    PARSER_POINTS("parser", "points", "Data points parsed and handed to the journaler."),
    /** Bad points. */
    PARSER_POINTS_REJECTED("parser", "points_rejected", "Bad data points: refused, and sent to the dead letters."),

    // ipfix

    /** Messages. */
    IPFIX_MESSAGES("ipfix", "messages", "Messages of IPFIX and NetFlow that were begun to be read."),
    /** Flows that became points. */
    IPFIX_RECORDS("ipfix", "records", "Flow records that became data points."),
    /** Records of options. */
    IPFIX_RECORDS_OF_OPTIONS("ipfix", "records_of_options", "Records in which exporters tell of themselves."),
    /** Records that are no flows. */
    IPFIX_RECORDS_OTHER(
            "ipfix", "records_other", "Data records without addresses or without packets and bytes: no flows."),
    /** Records lost. */
    IPFIX_RECORDS_LOST(
            "ipfix",
            "records_lost",
            "Records of IPFIX and NetFlow 5 that are missing by the numbers of their messages."),
    /** Messages lost. */
    IPFIX_MESSAGES_LOST("ipfix", "messages_lost", "Messages of NetFlow 9 that are missing by their numbers."),
    /** Numbers that go back. */
    IPFIX_SEQUENCE_BACKWARD(
            "ipfix",
            "sequence_backward",
            "Messages with a number before the expected one: late, or of an exporter that began anew."),
    /** Templates learned. */
    IPFIX_TEMPLATES("ipfix", "templates", "Templates that were new or had changed."),
    /** Templates expired. */
    IPFIX_TEMPLATES_EXPIRED("ipfix", "templates_expired", "Templates forgotten because they were not sent again."),
    /** Templates refused. */
    IPFIX_TEMPLATES_REFUSED("ipfix", "templates_refused", "Templates refused: the input keeps no more of them."),
    /** Exporters refused. */
    IPFIX_EXPORTERS_REFUSED(
            "ipfix", "exporters_refused", "Messages of new exporters dropped: the input knows no more of them."),
    /** Sets ahead of their template. */
    IPFIX_SETS_UNTOLD("ipfix", "sets_untold", "Sets of data dropped: their template had not come."),
    /** Unknown version. */
    IPFIX_BAD_VERSION("ipfix", "bad_version", "Malformed: of no known version."),
    /** Wrong length. */
    IPFIX_BAD_LENGTH("ipfix", "bad_length", "Malformed: a message shorter than its header, or than it says."),
    /** Wrong set. */
    IPFIX_BAD_SET("ipfix", "bad_set", "Malformed: a set that does not fit into its message, or of a reserved number."),
    /** Wrong template. */
    IPFIX_BAD_TEMPLATE("ipfix", "bad_template", "Malformed: a template that is cut off or makes no sense."),
    /** Wrong record. */
    IPFIX_BAD_RECORD("ipfix", "bad_record", "Malformed: a record that does not fit into its set, or makes no point."),

    // ipfix_export

    /** Records sent. */
    IPFIX_EXPORT_RECORDS("ipfix_export", "records", "Flow records sent to the collector."),
    /** Messages sent. */
    IPFIX_EXPORT_MESSAGES("ipfix_export", "messages", "Messages sent to the collector."),
    /** Bytes sent. */
    IPFIX_EXPORT_BYTES("ipfix_export", "bytes", "Bytes of messages sent to the collector."),
    /** Records dropped. */
    IPFIX_EXPORT_RECORDS_DROPPED(
            "ipfix_export",
            "records_dropped",
            "Flow records not sent: the queue was full, or the exporter was closed."),
    /** Packets in them. */
    IPFIX_EXPORT_PACKETS_DROPPED("ipfix_export", "packets_dropped", "Packets of flow records that were dropped."),
    /** Bytes in them. */
    IPFIX_EXPORT_BYTES_DROPPED("ipfix_export", "bytes_dropped", "IP bytes of flow records that were dropped."),
    /** Records that found nobody. */
    IPFIX_EXPORT_RECORDS_LOST(
            "ipfix_export", "records_lost", "Flow records in datagrams that the collector's machine refused."),
    /** Records on a connection that broke. */
    IPFIX_EXPORT_RECORDS_UNCONFIRMED(
            "ipfix_export",
            "records_unconfirmed",
            "Flow records that may not have arrived: the last ones on connections that broke."),
    /** Connections that broke. */
    IPFIX_EXPORT_CONNECTIONS_LOST("ipfix_export", "connections_lost", "Connections to the collector that broke."),

    // dead letters

    /** Bad points written. */
    DEAD_LETTERS_WRITTEN("dead_letters", "points_written", "Bad data points written to the dead-letter file."),
    /** Bad points not written. */
    DEAD_LETTERS_DROPPED(
            "dead_letters",
            "points_dropped",
            "Bad data points not written to the dead-letter file: too many at one time, or the disk refused."),
    /** Bad points that gave way. */
    DEAD_LETTERS_OLD_DROPPED(
            "dead_letters",
            "old_dropped",
            "Oldest bad data points dropped because the dead-letter files reached their limit. Anything but 0 needs action."),

    // journal

    /** Own points appended. */
    JOURNAL_POINTS("journal", "points", "Data points that this node accepted and journaled."),
    /** Points of peers appended. */
    JOURNAL_POINTS_COPIED("journal", "points_copied", "Data points of other queue nodes that this node journaled."),
    /** Batches appended. */
    JOURNAL_BATCHES("journal", "batches", "Batches appended to the journal."),
    /** Bytes appended. */
    JOURNAL_BYTES("journal", "bytes", "Bytes appended to the journal."),
    /** Syncs that made something durable. */
    JOURNAL_SYNCS("journal", "syncs", "Syncs of the journal; none with sync: none."),
    /** Time of those. */
    JOURNAL_SYNC_US("journal", "sync_us", "Microseconds that these took in all. Senders wait for them."),
    /** Refused appends. */
    JOURNAL_STALLS("journal", "stalls", "Times that the journal or its disk was full and the journaler had to wait."),
    /** Batches that were there already. */
    JOURNAL_DUPLICATES("journal", "batches_duplicate", "Batches that came from a peer and were journaled already."),
    /** Batches behind a gap. */
    JOURNAL_GAPS("journal", "batches_after_gap", "Batches that came from a peer before those that precede them."),
    /** Bytes let go of. */
    JOURNAL_BYTES_TRUNCATED("journal", "bytes_truncated", "Bytes of the journal that were processed and deleted."),

    // acknowledge

    /** Told of success. */
    ACKNOWLEDGE_COMPLETED("acknowledge", "requests_completed", "Senders told that enough journals hold their points."),
    /** Told of failure. */
    ACKNOWLEDGE_FAILED("acknowledge", "requests_failed", "Senders told that too few journals hold their points."),

    /** Told of success with fewer copies than wanted. */
    ACKNOWLEDGE_BELOW_COPIES(
            "acknowledge",
            "requests_below_copies",
            "Senders told of success while fewer journals than queue.acks asks for hold their points; see"
                    + " queue.min_acks."),

    // replication

    /** Batches received. */
    REPLICATION_BATCHES_RECEIVED("replication", "batches_received", "Batches received from other queue nodes."),
    /** Batches of streams that were not asked for. */
    REPLICATION_BATCHES_UNASKED(
            "replication",
            "batches_unasked",
            "Batches dropped because this node did not ask the sender for their stream."),
    /** Connections refused. */
    REPLICATION_CONNECTIONS_REFUSED(
            "replication",
            "connections_refused",
            "Connections closed because they do not speak for a live queue node, or its session has a connection already."),
    /** Bytes received. */
    REPLICATION_BYTES_RECEIVED("replication", "bytes_received", "Bytes of batches received from other queue nodes."),
    /** Queue nodes whose certificate is that of another node. */
    REPLICATION_PEERS_REFUSED(
            "replication", "peers_refused", "Queue nodes refused because their certificate names another node."),
    /** Processors whose certificate is that of another node. */
    DISPATCH_PEERS_REFUSED(
            "dispatch", "peers_refused", "Processors refused because their certificate names another node."),
    /** Batches sent. */
    REPLICATION_BATCHES_SENT("replication", "batches_sent", "Batches sent to other queue nodes."),
    /** Bytes sent. */
    REPLICATION_BYTES_SENT("replication", "bytes_sent", "Bytes of batches sent to other queue nodes."),
    /** Connections closed. */
    REPLICATION_CONNECTIONS_LOST(
            "replication", "connections_lost", "Connections with queue nodes that broke or failed."),
    /** Frames that made no sense. */
    REPLICATION_FRAMES_BAD("replication", "frames_bad", "Frames of queue nodes that were damaged or made no sense."),
    /** Subscriptions begun anew. */
    REPLICATION_RESUBSCRIBED("replication", "resubscribed", "Subscriptions begun anew because batches were missing."),

    // before

    /** Records given to compositions. */
    BEFORE_POINTS("before", "points", "Data points given to the blocks ahead of shards, in every pass anew."),
    /** What came of them. */
    BEFORE_POINTS_EMITTED("before", "points_emitted", "Data points that the blocks ahead of shards made of them."),
    /** Points at which a block threw. */
    BEFORE_POINTS_FAILED(
            "before",
            "points_failed",
            "Data points at which a block ahead of shards threw; they are in the dead letters, again where they are sent again."),

    // dispatch

    /** Copies of points handed to channels. */
    DISPATCH_POINTS("dispatch", "points_forwarded", "Copies of data points handed to the channels of processors."),
    /** Passes over a cycle. */
    DISPATCH_TRANSMISSIONS("dispatch", "transmissions", "Passes over a cycle; more than one per cycle are replays."),
    /** Steps without credit. */
    DISPATCH_STALLS("dispatch", "stalls", "Steps that found a processor's credit used up."),
    /** Taken out of a pass. */
    DISPATCH_DEFERRED(
            "dispatch",
            "parts_deferred",
            "Parts of shards taken out of a pass because their processor took too little, to be sent by one of its own."),
    /** Answers NEED. */
    DISPATCH_NEEDS("dispatch", "parts_needed", "Parts that a processor said it lacks."),
    /** Answers of other sessions. */
    DISPATCH_ANSWERS_REFUSED(
            "dispatch",
            "answers_refused",
            "Answers that named another session than that of the processor asked; the connection was closed."),
    /** Past cycles sent. */
    DISPATCH_PAST_CYCLES(
            "dispatch", "past_cycles", "Past cycles sent to processors that build the state of a composition anew.");

    private final String stage;
    private final String what;
    private final String help;

    QueueCounter(String stage, String what, String help) {
        this.stage = stage;
        this.what = what;
        this.help = help;
    }

    @Override
    public String stage() {
        return stage;
    }

    @Override
    public String what() {
        return what;
    }

    @Override
    public String help() {
        return help;
    }
}
