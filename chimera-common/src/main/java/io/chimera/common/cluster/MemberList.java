package io.chimera.common.cluster;

import java.util.AbstractList;
import java.util.List;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.function.ToLongFunction;
import org.agrona.collections.Long2ObjectHashMap;

/** Immutable list of members with an index by session. An index lookup costs the same in a view of any size. */
final class MemberList<M> extends AbstractList<M> implements RandomAccess {
    private final List<M> members;
    private final Long2ObjectHashMap<M> bySession = new Long2ObjectHashMap<>();

    private MemberList(List<M> members, ToLongFunction<M> session) {
        this.members = List.copyOf(members);
        for (M member : members) {
            bySession.putIfAbsent(session.applyAsLong(member), member);
        }
    }

    /** Returns a list with an index; the same list if the list has an index already. */
    static <M> List<M> of(List<M> members, ToLongFunction<M> session) {
        return members instanceof MemberList<M> ? members : new MemberList<>(members, session);
    }

    /** Returns the first member with a session. */
    static <M> Optional<M> find(List<M> members, long session) {
        return Optional.ofNullable(((MemberList<M>) members).bySession.get(session));
    }

    @Override
    public M get(int index) {
        return members.get(index);
    }

    @Override
    public int size() {
        return members.size();
    }
}
