package io.chimera.archive.distributed;

import io.chimera.archive.distributed.Parcel.Part;
import io.chimera.archive.distributed.Parcel.Reply;
import io.chimera.archive.distributed.Parcel.StreamGroup;
import io.chimera.archive.distributed.SpanQuestion.Member;
import io.chimera.archive.distributed.SpanQuestion.Told;
import io.chimera.archive.index.IndexMessages;
import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.record.DamagedRecordException;
import io.chimera.archive.index.record.RecordInput;
import io.chimera.archive.index.record.RecordOutput;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Codec for messages between archive nodes; see docs/protocol.md. Arbitrary bytes are either decoded or rejected, with
 * allocations bounded by the length of the input. Single-threaded.
 */
final class DistributedCodec {
    static final byte PARCEL = 20;
    static final byte REPLY = 17;
    static final byte QUESTION = 18;
    static final byte ANSWER = 19;

    /** Maximum spans in a question, and maximum length of range lists and span lists in a parcel. */
    static final int SPANS_MAX = 4096;

    /** Maximum archive nodes in a question. */
    static final int MEMBERS_MAX = 1024;

    private static final int NAME_BYTES_MAX = 256;
    private static final int STREAMS_MAX = 256;
    private static final int GROUPS_MAX = 64 << 10;

    private final IndexMessages messages;

    /** Creates a codec for indexes with these keys. */
    DistributedCodec(List<IndexKey> keys) {
        messages = new IndexMessages(keys);
    }

    byte[] encode(Parcel parcel) {
        List<String> streams = parcel.parts().stream()
                .flatMap(part -> part.groups().stream())
                .map(StreamGroup::stream)
                .distinct()
                .toList();
        RecordOutput out = messages.begin(PARCEL);
        out.putLong(parcel.session()).putCount(parcel.spanNs()).putLong(parcel.incarnation());
        out.putCount(parcel.sequence()).putCount(parcel.generation());
        put(out, parcel.empties());
        out.putCount(parcel.voids().size());
        parcel.voids().forEach(out::putSigned);
        out.putCount(streams.size());
        streams.forEach(out::putText);
        out.putCount(parcel.parts().size());
        for (Part part : parcel.parts()) {
            out.putSigned(part.span()).putCount((part.isFirst() ? 1 : 0) | (part.isLast() ? 2 : 0));
            out.putCount(part.groups().size());
            for (StreamGroup group : part.groups()) {
                out.putCount(streams.indexOf(group.stream()));
                messages.put(group.summary());
            }
        }
        return out.toBytes();
    }

    Parcel parcel(byte[] bytes) throws DamagedRecordException {
        RecordInput in = messages.open(new UnsafeBuffer(bytes), PARCEL);
        long session = in.eightBytes();
        long spanNs = in.count();
        long incarnation = in.eightBytes();
        long sequence = in.count();
        long generation = in.count();
        List<SpanRange> empties = ranges(in);
        List<Long> voids = signed(in);
        List<String> streams = new ArrayList<>();
        for (int left = in.count(STREAMS_MAX, 1); left > 0; left--) {
            streams.add(in.text(NAME_BYTES_MAX));
        }
        List<Part> parts = new ArrayList<>();
        for (int left = in.count(SPANS_MAX, 3); left > 0; left--) {
            long span = in.signed();
            int flags = in.count(3, 0);
            parts.add(new Part(span, (flags & 1) != 0, (flags & 2) != 0, groups(in, streams)));
        }
        in.end();
        return new Parcel(session, spanNs, incarnation, sequence, generation, empties, voids, parts);
    }

    /** Writes ranges as differences; an overflow is reversed by the same overflow during decoding. */
    private static void put(RecordOutput out, List<SpanRange> ranges) {
        out.putCount(ranges.size());
        long before = 0;
        for (SpanRange range : ranges) {
            out.putSigned(range.first() - before).putSigned(range.last() - range.first());
            before = range.last();
        }
    }

    private static List<SpanRange> ranges(RecordInput in) throws DamagedRecordException {
        List<SpanRange> ranges = new ArrayList<>();
        long before = 0;
        for (int left = in.count(SPANS_MAX, 2); left > 0; left--) {
            long first = before + in.signed();
            before = first + in.signed();
            ranges.add(new SpanRange(first, before));
        }
        return SpanRange.union(ranges, List.of());
    }

    private List<StreamGroup> groups(RecordInput in, List<String> streams) throws DamagedRecordException {
        List<StreamGroup> groups = new ArrayList<>();
        for (int left = in.count(GROUPS_MAX, 8); left > 0; left--) {
            int stream = in.count(STREAMS_MAX, 0);
            if (stream >= streams.size()) {
                throw new DamagedRecordException("a group of an unknown stream");
            }
            groups.add(new StreamGroup(streams.get(stream), messages.summary()));
        }
        return groups;
    }

    private static List<Long> signed(RecordInput in) throws DamagedRecordException {
        List<Long> values = new ArrayList<>();
        for (int left = in.count(SPANS_MAX, 1); left > 0; left--) {
            values.add(in.signed());
        }
        return values;
    }

    byte[] encode(Reply reply) {
        RecordOutput out = messages.begin(REPLY);
        out.putLong(reply.incarnation()).putCount(reply.sequence()).putSigned(reply.floor());
        return out.toBytes();
    }

    Reply reply(byte[] bytes) throws DamagedRecordException {
        RecordInput in = messages.open(new UnsafeBuffer(bytes), REPLY);
        Reply reply = new Reply(in.eightBytes(), in.count(), in.signed());
        in.end();
        return reply;
    }

    byte[] encode(SpanQuestion question) {
        RecordOutput out = messages.begin(QUESTION);
        out.putCount(question.spanNs()).putText(question.stream());
        out.putSigned(question.afterNs()).putSigned(question.beforeNs());
        out.putCount(question.spans().size());
        question.spans().forEach(out::putSigned);
        out.putCount(question.members().size());
        for (Member member : question.members()) {
            out.putLong(member.session()).putCount(member.generation());
        }
        messages.put(question.probe());
        return out.toBytes();
    }

    SpanQuestion question(byte[] bytes) throws DamagedRecordException {
        RecordInput in = messages.open(new UnsafeBuffer(bytes), QUESTION);
        long spanNs = in.count();
        String stream = in.text(NAME_BYTES_MAX);
        long afterNs = in.signed();
        long beforeNs = in.signed();
        List<Long> spans = signed(in);
        List<Member> members = new ArrayList<>();
        for (int left = in.count(MEMBERS_MAX, 9); left > 0; left--) {
            members.add(new Member(in.eightBytes(), in.count()));
        }
        Probe probe = messages.probe();
        in.end();
        return new SpanQuestion(spanNs, probe, stream, afterNs, beforeNs, spans, members);
    }

    byte[] encode(List<Told> answer) {
        RecordOutput out = messages.begin(ANSWER);
        out.putCount(answer.size());
        for (Told told : answer) {
            long[] unknown = told.unknown().toLongArray();
            out.putCount(unknown.length);
            for (long word : unknown) {
                out.putLong(word);
            }
            out.putCount(told.mayMatch() ? 1 : 0).putSigned(told.firstNs()).putSigned(told.lastNs());
        }
        return out.toBytes();
    }

    List<Told> answer(byte[] bytes) throws DamagedRecordException {
        RecordInput in = messages.open(new UnsafeBuffer(bytes), ANSWER);
        List<Told> answer = new ArrayList<>();
        for (int left = in.count(MEMBERS_MAX, 4); left > 0; left--) {
            long[] unknown = new long[in.count(SPANS_MAX / Long.SIZE, Long.BYTES)];
            for (int i = 0; i < unknown.length; i++) {
                unknown[i] = in.eightBytes();
            }
            answer.add(new Told(BitSet.valueOf(unknown), in.count(1, 0) == 1, in.signed(), in.signed()));
        }
        in.end();
        return answer;
    }
}
