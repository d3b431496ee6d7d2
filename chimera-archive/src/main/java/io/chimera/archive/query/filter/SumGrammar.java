package io.chimera.archive.query.filter;

import io.chimera.archive.query.condition.Arithmetic;
import io.chimera.archive.query.condition.Arithmetic.Cell;
import io.chimera.archive.query.condition.Arithmetic.Joined;
import io.chimera.archive.query.condition.Arithmetic.Length;
import io.chimera.archive.query.condition.Arithmetic.Literal;
import io.chimera.archive.query.condition.Arithmetic.Operator;
import io.chimera.archive.query.condition.Condition;
import io.chimera.archive.query.condition.Condition.Comparison;
import io.chimera.archive.query.condition.Condition.Hinted;
import io.chimera.archive.query.condition.Condition.Not;
import io.chimera.archive.query.condition.Condition.Test;
import io.chimera.archive.query.condition.FrameNumber;
import io.chimera.archive.query.condition.Hint;
import io.chimera.archive.query.condition.Relation;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.query.text.Depth;
import io.chimera.archive.query.text.Protocol;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.query.text.Token;
import io.chimera.archive.query.text.Token.Kind;
import io.chimera.archive.query.text.TokenReader;
import org.jspecify.annotations.Nullable;

/** Parses sums of bytes and numbers with their comparison: {@code tcp[tcpflags] & tcp-syn != 0}. */
final class SumGrammar {
    private static final int RANK_MIN = 0;
    private static final int RANK_OF_MINUS = 6;
    private static final int SHIFT_MAX = 31;
    private static final int IP6_LENGTH = 40;

    private final TokenReader tokens;
    private final Layout layout;
    private final PacketTerms terms;
    private final Depth depth;

    SumGrammar(TokenReader tokens, Layout layout, PacketTerms terms, Depth depth) {
        this.tokens = tokens;
        this.layout = layout;
        this.terms = terms;
        this.depth = depth;
    }

    /**
     * Parsed sum.
     *
     * @param guard condition for the presence of the bytes; null: none. For two joined sums libpcap keeps only the
     *     guard of the left sum
     */
    private record Sum(Arithmetic value, @Nullable Condition guard) {}

    /** Parses a comparison of two sums. */
    Condition comparison() {
        Sum left = sum(RANK_MIN);
        Token sign = tokens.next();
        Relation relation =
                switch (sign.text()) {
                    case "=", "!=" -> Relation.EQUAL;
                    case ">", "<=" -> Relation.GREATER;
                    case ">=", "<" -> Relation.GREATER_OR_EQUAL;
                    default -> throw tokens.refusal(sign, "Expected a comparison: '=', '!=', '<', '<=', '>' or '>='.");
                };
        Sum right = sum(RANK_MIN);
        boolean isReversed = sign.is("!=") || sign.is("<=") || sign.is("<");
        Condition is = comparison(left.value, relation, right.value);
        Condition compared = isReversed ? new Not(is) : is;
        if (demandsSyn(is, isReversed)) {
            compared = new Hinted(compared, new Hint.Opening(layout.shifts()));
        }
        Condition first = left.guard;
        Condition second = right.guard;
        if (first != null && second != null && first != second) {
            return Condition.all(first, second, compared);
        }
        Condition guard = first == null ? second : first;
        return guard == null ? compared : Condition.all(guard, compared);
    }

    /** Returns true if, among TCP packets, only packets with the SYN flag can meet the comparison. */
    private boolean demandsSyn(Condition is, boolean isReversed) {
        return is instanceof Test test
                && test.load().equals(layout.behindIpv4(PacketKeys.TCP_FLAGS_AT, 1))
                && test.relation() == Relation.EQUAL
                && (isReversed
                        ? test.mask() == PacketKeys.SYN && test.value() == 0
                        : (test.mask() & test.value() & PacketKeys.SYN) != 0);
    }

    private static Condition comparison(Arithmetic left, Relation relation, Arithmetic right) {
        if (left instanceof Literal a && right instanceof Literal b) {
            return relation.holds(a.number(), b.number()) ? Condition.TRUE : Condition.FALSE;
        }
        if (relation == Relation.EQUAL && left instanceof Literal) {
            return comparison(right, relation, left);
        }
        if (right instanceof Literal number) {
            int mask = -1;
            Arithmetic masked = left;
            if (left instanceof Joined joined && joined.operator() == Operator.AND) {
                boolean isLeft = joined.left() instanceof Literal;
                Arithmetic other = isLeft ? joined.left() : joined.right();
                if (other instanceof Literal bits) {
                    mask = bits.number();
                    masked = isLeft ? joined.right() : joined.left();
                }
            }
            FrameNumber load = load(masked);
            if (load != null) {
                return new Test(load, mask, relation, number.number());
            }
        }
        return new Comparison(left, relation, right);
    }

    /** Returns the bytes at a constant index; null for another sum. */
    private static @Nullable FrameNumber load(Arithmetic sum) {
        if (sum instanceof Length) {
            return FrameNumber.LENGTH;
        }
        if (sum instanceof Cell cell && cell.index() instanceof Literal index) {
            FrameNumber base = cell.base();
            return new FrameNumber(base.size(), base.at() + index.number(), base.ipv4At());
        }
        return null;
    }

    private Sum sum(int rankMin) {
        Sum left = operand();
        while (true) {
            Token sign = tokens.peek();
            Operator operator = sign.kind() == Kind.SYMBOL ? Operator.of(sign.text()) : null;
            if (operator == null || operator.rank() < rankMin) {
                return left;
            }
            tokens.next();
            Sum right = sum(operator.rank() == Arithmetic.UNRANKED ? RANK_MIN : operator.rank() + 1);
            left = new Sum(join(sign, operator, left.value, right.value), left.guard);
        }
    }

    private Arithmetic join(Token sign, Operator operator, Arithmetic left, Arithmetic right) {
        if (right instanceof Literal number) {
            boolean isDivision = operator == Operator.DIVIDED || operator == Operator.MODULO;
            if (isDivision && number.number() == 0) {
                throw tokens.refusal(sign, "A number cannot be divided by 0; use another divisor.");
            }
            boolean isShift = operator == Operator.SHIFT_LEFT || operator == Operator.SHIFT_RIGHT;
            if (isShift && Integer.compareUnsigned(number.number(), SHIFT_MAX) > 0) {
                throw tokens.refusal(sign, "Numbers have 32 bits; shift them by at most " + SHIFT_MAX + '.');
            }
            if (left instanceof Literal other) {
                return new Literal((int) operator.join(other.number(), number.number()));
            }
        }
        return new Joined(operator, left, right);
    }

    private Sum operand() {
        Token token = tokens.peek();
        depth.enter(token);
        try {
            if (tokens.skip("-")) {
                Sum negated = sum(RANK_OF_MINUS);
                return new Sum(join(token, Operator.MINUS, new Literal(0), negated.value), negated.guard);
            }
            if (tokens.skip("(")) {
                Sum inner = sum(RANK_MIN);
                tokens.require(")", "The parenthesis of the sum is not closed; add ')' here.");
                return inner;
            }
            if (tokens.skip("len") || tokens.skip("length")) {
                return new Sum(new Length(), null);
            }
            if (token.kind() == Kind.NUMBER) {
                return new Sum(new Literal(tokens.next().number()), null);
            }
            return cell();
        } finally {
            depth.leave();
        }
    }

    private Sum cell() {
        Token name = tokens.next();
        Protocol protocol = name.kind() == Kind.KEYWORD ? Protocol.of(name.text()) : null;
        if (protocol == null) {
            throw tokens.refusal(name, "Expected a number, 'len' or bytes such as 'tcp[13]'.");
        }
        tokens.require(
                "[", "Expected bytes such as '" + name.text() + "[<index>]' or '" + name.text() + "[<index>:<size>]'.");
        Sum index = sum(RANK_MIN);
        int size = 1;
        if (tokens.skip(":")) {
            Token number = tokens.next();
            size = number.kind() == Kind.NUMBER ? number.number() : 0;
            if (size != 1 && size != 2 && size != 4) {
                throw tokens.refusal(number, "A number has 1, 2 or 4 bytes.");
            }
        }
        tokens.require("]", "Expected ']' after an index or a size.");
        try {
            return cell(protocol, index, size);
        } catch (QuestionException e) {
            throw tokens.placed(e, name);
        }
    }

    private Sum cell(Protocol protocol, Sum index, int size) {
        return switch (protocol) {
            case LINK -> new Sum(new Cell(layout.header(0, size), index.value), index.guard);
            case IP, ARP, RARP, IP6, ATALK, DECNET, SCA, LAT, MOPRC, MOPDL ->
                new Sum(new Cell(layout.network(0, size), index.value), guard(index.guard, terms.protocol(protocol)));
            case TCP, UDP, SCTP, ICMP, IGMP, IGRP, PIM, VRRP, CARP -> {
                Condition rest = Condition.all(terms.protocol(protocol), terms.isFirstFragment());
                Condition is = Condition.all(terms.carries4(), guard(index.guard, rest));
                yield new Sum(new Cell(layout.behindIpv4(0, size), index.value), is);
            }
            case ICMP6 -> {
                Condition isNext = Condition.equal(layout.network(6, 1), Protocol.ICMP6.ipProtocol());
                Condition is = Condition.all(guard(index.guard, terms.carries6()), isNext);
                yield new Sum(new Cell(layout.network(IP6_LENGTH, size), index.value), is);
            }
            default ->
                throw new QuestionException("'" + protocol.word() + "' has no bytes to test; write"
                        + " 'ether[<index>]' or 'ip[<index>]'.");
        };
    }

    private static Condition guard(@Nullable Condition first, Condition second) {
        return first == null ? second : Condition.all(first, second);
    }
}
