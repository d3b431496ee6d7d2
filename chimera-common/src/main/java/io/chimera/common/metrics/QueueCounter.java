package io.chimera.common.metrics;

/** Counters of a queue node, by stage from input to dispatch. */
public enum QueueCounter implements CounterDescriptor {
    // source

    SOURCE_BYTES_RECEIVED("source", "bytes_received", "Bytes received over all inputs, after decompression."),
    SOURCE_CONNECTIONS("source", "connections", "TCP connections accepted."),
    SOURCE_REQUESTS("source", "requests", "HTTP requests received."),
    SOURCE_REQUESTS_REFUSED("source", "requests_refused", "HTTP requests answered 503; the client should retry."),
    SOURCE_REQUESTS_BAD("source", "requests_bad", "HTTP requests answered 4xx: bad points or an invalid request."),
    SOURCE_DATAGRAMS("source", "datagrams", "Datagrams received."),
    SOURCE_DATAGRAMS_DROPPED(
            "source", "datagrams_dropped", "Datagrams dropped completely or in part because the ring was full."),
    SOURCE_RING_FULL("source", "ring_full", "Waits or drops of a source because the ring was full."),
    SOURCE_PLUGINS_RESTARTED("source", "plugins_restarted", "Failures of source plugins, followed by a reopening."),
    SOURCE_SERIES_NEW("source", "series_new", "New series of inputs."),
    SOURCE_SERIES_REFUSED(
            "source", "series_refused", "Points refused because of too many new series of the input or the sender."),
    SOURCE_BATCHES("source", "batches", "Batches passed to the journaler."),
    SOURCE_RECORD_BYTES("source", "record_bytes", "Bytes of records passed to the journaler."),

    // capture

    CAPTURE_PACKETS("capture", "packets", "Packets received, of any kind."),
    CAPTURE_BYTES("capture", "bytes", "Bytes of the received packets on the wire."),
    CAPTURE_DROPPED_RING(
            "capture",
            "packets_dropped_ring",
            "Packets lost because the capture's socket or ring was full: the node was too slow."),
    CAPTURE_DROPPED_INTERFACE(
            "capture", "packets_dropped_interface", "Packets dropped by the interface, for any receiver."),
    CAPTURE_UNPLACED(
            "capture",
            "packets_unplaced",
            "Packets without a flow: the flow table was full and none of its records could be passed on."),
    CAPTURE_NOT_IP("capture", "packets_not_ip", "Packets without a flow because they are not IP."),
    CAPTURE_MALFORMED(
            "capture", "packets_malformed", "Packets without a flow because they were damaged or cut too short."),
    CAPTURE_FLOWS("capture", "flows", "Flows begun; a flow with several records counts once."),
    CAPTURE_RECORDS("capture", "records", "Flow records, of ended flows and of intermediate cuts."),
    CAPTURE_EVICTED("capture", "flows_evicted", "Flows ended early to make room in the flow table."),
    CAPTURE_FAILURES(
            "capture", "failures", "Failures of a capture, followed by a reopening, and damaged capture files."),

    // parser

    PARSER_POINTS("parser", "points", "Data points parsed and passed to the journaler."),
    PARSER_POINTS_REJECTED("parser", "points_rejected", "Bad data points: refused, and sent to the dead letters."),
    PARSER_STATSD_OTHERS("parser", "statsd_others", "Events and service checks of DogStatsD, which are dropped."),

    // remote_write

    REMOTE_WRITE_STALE("remote_write", "stale_markers", "Stale markers received: the sender's series has ended."),
    REMOTE_WRITE_NOT_FINITE(
            "remote_write", "values_not_finite", "Values NaN and infinite, accepted and dropped; see not_finite."),
    REMOTE_WRITE_EXEMPLARS_IGNORED("remote_write", "exemplars_ignored", "Exemplars accepted and dropped."),
    REMOTE_WRITE_HISTOGRAMS_REJECTED(
            "remote_write", "histograms_rejected", "Native histograms rejected; classic histograms are series."),

    // ipfix

    IPFIX_MESSAGES("ipfix", "messages", "IPFIX and NetFlow messages received."),
    IPFIX_RECORDS("ipfix", "records", "Flow records converted to data points."),
    IPFIX_RECORDS_OF_OPTIONS("ipfix", "records_of_options", "Options data records received."),
    IPFIX_RECORDS_OTHER(
            "ipfix",
            "records_other",
            "Data records that are not flows: without addresses, or without packets and bytes."),
    IPFIX_RECORDS_LOST(
            "ipfix",
            "records_lost",
            "IPFIX and NetFlow 5 records lost, according to the sequence numbers of the messages."),
    IPFIX_MESSAGES_LOST("ipfix", "messages_lost", "NetFlow 9 messages lost, according to their sequence numbers."),
    IPFIX_SEQUENCE_BACKWARD(
            "ipfix",
            "sequence_backward",
            "Messages with a sequence number below the expected number: late, or after a restart of the exporter."),
    IPFIX_TEMPLATES("ipfix", "templates", "Templates received that were new or changed."),
    IPFIX_TEMPLATES_EXPIRED(
            "ipfix", "templates_expired", "Templates expired because the exporter did not resend them."),
    IPFIX_TEMPLATES_REFUSED("ipfix", "templates_refused", "Templates refused because the input has too many."),
    IPFIX_EXPORTERS_REFUSED("ipfix", "exporters_refused", "Messages dropped because the input has too many exporters."),
    IPFIX_SETS_UNTOLD("ipfix", "sets_untold", "Data sets dropped because their template was unknown."),
    IPFIX_BAD_VERSION("ipfix", "bad_version", "Malformed messages: unknown version."),
    IPFIX_BAD_LENGTH("ipfix", "bad_length", "Malformed messages: shorter than the header or the declared length."),
    IPFIX_BAD_SET("ipfix", "bad_set", "Malformed messages: a set exceeds its message or has a reserved number."),
    IPFIX_BAD_TEMPLATE("ipfix", "bad_template", "Malformed messages: a truncated or invalid template."),
    IPFIX_BAD_RECORD("ipfix", "bad_record", "Malformed messages: a record exceeds its set or yields no point."),

    // ipfix_export

    IPFIX_EXPORT_RECORDS("ipfix_export", "records", "Flow records sent to the collector."),
    IPFIX_EXPORT_MESSAGES("ipfix_export", "messages", "Messages sent to the collector."),
    IPFIX_EXPORT_BYTES("ipfix_export", "bytes", "Bytes of messages sent to the collector."),
    IPFIX_EXPORT_RECORDS_DROPPED(
            "ipfix_export",
            "records_dropped",
            "Flow records dropped because the queue was full or the exporter was closed."),
    IPFIX_EXPORT_PACKETS_DROPPED("ipfix_export", "packets_dropped", "Packets of the dropped flow records."),
    IPFIX_EXPORT_BYTES_DROPPED("ipfix_export", "bytes_dropped", "IP bytes of the dropped flow records."),
    IPFIX_EXPORT_RECORDS_LOST(
            "ipfix_export", "records_lost", "Flow records in datagrams refused by the collector's host."),
    IPFIX_EXPORT_RECORDS_UNCONFIRMED(
            "ipfix_export", "records_unconfirmed", "Last flow records on broken connections, possibly not received."),
    IPFIX_EXPORT_CONNECTIONS_LOST("ipfix_export", "connections_lost", "Broken connections to the collector."),

    // dead letters

    DEAD_LETTERS_WRITTEN("dead_letters", "points_written", "Bad data points written to the dead-letter file."),
    DEAD_LETTERS_DROPPED(
            "dead_letters",
            "points_dropped",
            "Bad data points not written to the dead-letter file: too many at a time, or a disk error."),
    DEAD_LETTERS_OLD_DROPPED(
            "dead_letters",
            "old_dropped",
            "Oldest bad data points dropped at the size limit of the dead-letter files. Values above 0 need action."),

    // journal

    JOURNAL_POINTS("journal", "points", "Data points accepted and journaled by this node."),
    JOURNAL_POINTS_COPIED("journal", "points_copied", "Data points of other queue nodes journaled by this node."),
    JOURNAL_BATCHES("journal", "batches", "Batches appended to the journal."),
    JOURNAL_BYTES("journal", "bytes", "Bytes appended to the journal."),
    JOURNAL_SYNCS("journal", "syncs", "Syncs of the journal; none with sync: none."),
    JOURNAL_SYNC_US(
            "journal", "sync_us", "Total time of the journal syncs in microseconds. Senders wait for the syncs."),
    JOURNAL_STALLS("journal", "stalls", "Waits of the journaler because the journal or its disk was full."),
    JOURNAL_DUPLICATES("journal", "batches_duplicate", "Batches of a peer that were already journaled."),
    JOURNAL_GAPS("journal", "batches_after_gap", "Batches of a peer received before their preceding batches."),
    JOURNAL_BYTES_TRUNCATED("journal", "bytes_truncated", "Bytes of the journal deleted after processing."),

    // acknowledge

    ACKNOWLEDGE_COMPLETED("acknowledge", "requests_completed", "Requests acknowledged after enough copies."),
    ACKNOWLEDGE_FAILED("acknowledge", "requests_failed", "Requests failed because too few journals have their points."),

    ACKNOWLEDGE_BELOW_COPIES(
            "acknowledge",
            "requests_below_copies",
            "Requests acknowledged with fewer copies than queue.acks; see" + " queue.min_acks."),

    // replication

    REPLICATION_BATCHES_RECEIVED("replication", "batches_received", "Batches received from other queue nodes."),
    REPLICATION_BATCHES_UNASKED(
            "replication",
            "batches_unasked",
            "Batches dropped because this node has no subscription to their stream at the sender."),
    REPLICATION_CONNECTIONS_REFUSED(
            "replication",
            "connections_refused",
            "Connections closed because their session is not that of a live queue node, or is already connected."),
    REPLICATION_BYTES_RECEIVED("replication", "bytes_received", "Bytes of batches received from other queue nodes."),
    REPLICATION_PEERS_REFUSED(
            "replication", "peers_refused", "Queue nodes refused because their certificate names another node."),
    DISPATCH_PEERS_REFUSED(
            "dispatch", "peers_refused", "Processors refused because their certificate names another node."),
    REPLICATION_BATCHES_SENT("replication", "batches_sent", "Batches sent to other queue nodes."),
    REPLICATION_BYTES_SENT("replication", "bytes_sent", "Bytes of batches sent to other queue nodes."),
    REPLICATION_CONNECTIONS_LOST("replication", "connections_lost", "Broken or failed connections with queue nodes."),
    REPLICATION_FRAMES_BAD("replication", "frames_bad", "Damaged or invalid frames of queue nodes."),
    REPLICATION_RESUBSCRIBED("replication", "resubscribed", "Subscriptions restarted because batches were missing."),

    // before

    BEFORE_POINTS(
            "before", "points", "Data points passed to the blocks before the sharding, counted again in every pass."),
    BEFORE_POINTS_EMITTED("before", "points_emitted", "Data points emitted by the blocks before the sharding."),
    BEFORE_POINTS_FAILED(
            "before",
            "points_failed",
            "Data points written to the dead letters because a block before the sharding failed; retransmissions count"
                    + " again."),

    // dispatch

    DISPATCH_POINTS("dispatch", "points_forwarded", "Copies of data points passed to the channels of processors."),
    DISPATCH_TRANSMISSIONS(
            "dispatch", "transmissions", "Passes over a cycle; more than one per cycle are retransmissions."),
    DISPATCH_STALLS("dispatch", "stalls", "Stalls because a processor's credit was used up."),
    DISPATCH_DEFERRED(
            "dispatch",
            "parts_deferred",
            "Parts of shards removed from a pass because only their processor was slow; a separate pass sends them."),
    DISPATCH_NEEDS("dispatch", "parts_needed", "Parts requested by processors."),
    DISPATCH_ANSWERS_REFUSED(
            "dispatch",
            "answers_refused",
            "Connections closed because an answer named a session other than the processor's."),
    DISPATCH_PAST_CYCLES(
            "dispatch", "past_cycles", "Past cycles sent to processors for the rebuild of a composition's state.");

    private final MetricText text;

    QueueCounter(String stage, String what, String help) {
        text = new MetricText(stage, what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
