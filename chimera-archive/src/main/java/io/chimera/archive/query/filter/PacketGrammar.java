package io.chimera.archive.query.filter;

import io.chimera.archive.query.condition.Condition;
import io.chimera.archive.query.condition.Condition.Not;
import io.chimera.archive.query.condition.Condition.Test;
import io.chimera.archive.query.condition.Direction;
import io.chimera.archive.query.condition.FrameNumber;
import io.chimera.archive.query.condition.Relation;
import io.chimera.archive.query.filter.Qualifier.Kind;
import io.chimera.archive.query.text.Depth;
import io.chimera.archive.query.text.Protocol;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.query.text.Token;
import io.chimera.archive.query.text.TokenReader;
import io.chimera.archive.query.text.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Recursive-descent parser for filters in the syntax of libpcap (man pcap-filter). As in libpcap, {@code and} and
 * {@code or} have equal precedence and are left-associative, {@code not} binds tighter, and an address or number
 * inherits the qualifiers of the previous address or number.
 */
final class PacketGrammar {
    private final TokenReader tokens;
    private final Layout layout;
    private final PacketTerms terms;
    private final SumGrammar sums;
    private final Identifiers identifiers;
    private final Depth depth;
    private final List<String> warnings = new ArrayList<>();

    /** Condition, with the qualifiers inherited by the next identifier. */
    record Part(Condition condition, Qualifier qualifier) {}

    /**
     * Creates the parser of one filter.
     *
     * @param words tokens of the text
     * @param linkType known link type of the frames
     */
    PacketGrammar(String text, List<Token> words, int linkType) {
        tokens = new TokenReader(text, words);
        layout = new Layout(linkType);
        terms = new PacketTerms(layout);
        depth = new Depth(tokens);
        sums = new SumGrammar(tokens, layout, terms, depth);
        identifiers = new Identifiers(tokens, terms);
    }

    /**
     * Parses the filter.
     *
     * @throws QuestionException when the filter is invalid
     */
    Condition read() {
        if (tokens.peek().kind() == Token.Kind.END) {
            return Condition.TRUE;
        }
        Condition condition = list(Qualifier.NONE, this::term).condition;
        Token rest = tokens.peek();
        if (rest.kind() != Token.Kind.END) {
            throw tokens.refusal(rest, "Unexpected text after the filter; join the rest with 'and' or 'or'.");
        }
        return condition;
    }

    /** Returns hints for the author of an otherwise valid filter. */
    List<String> warnings() {
        return List.copyOf(warnings);
    }

    private Part list(Qualifier context, Function<Qualifier, Part> first) {
        Part part = first.apply(context);
        Token joiner = tokens.peek();
        String word = joiner.text();
        int changes = 0;
        while (tokens.peek().isJoiner()) {
            joiner = tokens.next();
            if (!joiner.is(word)) {
                changes++;
                warnOfMixing(changes, joiner);
                depth.check(joiner, changes);
                word = joiner.text();
            }
            Qualifier last = part.qualifier;
            Part right = tokens.isBareNext() ? identifier(last) : first.apply(last);
            Condition joined = joiner.is("and")
                    ? Condition.all(part.condition, right.condition)
                    : Condition.any(part.condition, right.condition);
            part = new Part(joined, right.qualifier);
        }
        return part;
    }

    private void warnOfMixing(int changes, Token joiner) {
        if (changes == 1) {
            warnings.add("'and' and 'or' have equal precedence: 'a or b and c' means '(a or b) and c'. At character "
                    + (joiner.at() + 1) + " both are mixed; use parentheses.");
        }
    }

    // Addresses and numbers with inherited qualifiers

    private Part identifier(Qualifier context) {
        Token token = tokens.peek();
        depth.enter(token);
        try {
            if (tokens.skip("not")) {
                Part part = identifier(context);
                return new Part(new Not(part.condition), part.qualifier);
            }
            if (tokens.skip("(")) {
                Part part = list(context, this::identifier);
                tokens.require(
                        ")",
                        "Only addresses and numbers with a shared qualifier may stand here; join others after ')'.");
                return part;
            }
            return new Part(identifiers.read(context), context);
        } finally {
            depth.leave();
        }
    }

    // Terms

    private Part term(Qualifier context) {
        Token token = tokens.peek();
        depth.enter(token);
        try {
            if (tokens.skip("not")) {
                Part part = term(context);
                return new Part(new Not(part.condition), part.qualifier);
            }
            if (tokens.isNext("(") && !tokens.isSumNext()) {
                tokens.next();
                Part part = list(context, this::term);
                tokens.require(")", "Expected 'and', 'or' or ')'.");
                return new Part(part.condition, context);
            }
            return plain();
        } catch (QuestionException e) {
            throw tokens.placed(e, token);
        } finally {
            depth.leave();
        }
    }

    private Part plain() {
        Token token = tokens.peek();
        boolean isSum = tokens.isSumNext() || token.is("-") || token.is("len") || token.is("length");
        if (isSum || token.kind() == Token.Kind.NUMBER || tokens.peekBehind().is("[")) {
            return alone(sums.comparison());
        }
        if (token.kind() != Token.Kind.KEYWORD) {
            throw tokens.refusal(token, reasonFor(token));
        }
        Condition other = other();
        return other == null ? qualified() : alone(other);
    }

    private static String reasonFor(Token token) {
        return switch (token.kind()) {
            case END -> "A term is missing, such as 'tcp' or 'host 192.0.2.1'.";
            case NAME, ADDRESS4, ADDRESS6, ETHERNET ->
                "The kind is missing: write 'host', 'net', 'port', 'proto' or" + " 'ether host' before it.";
            default -> "Expected a term, such as 'tcp' or 'host 192.0.2.1'.";
        };
    }

    private static Part alone(Condition condition) {
        return new Part(condition, Qualifier.NONE);
    }

    /** Parses terms of one keyword with at most a number; returns null for another term. */
    private @Nullable Condition other() {
        Token token = tokens.peek();
        return switch (token.text()) {
            case "less" -> new Not(new Test(FrameNumber.LENGTH, -1, Relation.GREATER, lengthNumber()));
            case "greater" -> new Test(FrameNumber.LENGTH, -1, Relation.GREATER_OR_EQUAL, lengthNumber());
            case "vlan" -> layout.vlan(numberIfAny());
            case "mpls" -> layout.mpls(numberIfAny());
            case "pppoes" -> layout.pppoeSession(numberIfAny());
            case "pppoed" -> {
                tokens.next();
                yield layout.pppoeDiscovery();
            }
            default -> {
                String refusal = Words.refusal(token.text());
                if (refusal != null) {
                    throw tokens.refusal(token, "'" + token.text() + "' is not supported: " + refusal + '.');
                }
                yield null;
            }
        };
    }

    private int lengthNumber() {
        Token word = tokens.next();
        Token number = tokens.next();
        if (number.kind() != Token.Kind.NUMBER) {
            throw tokens.refusal(number, "Expected a number of bytes after '" + word.text() + "'.");
        }
        return number.number();
    }

    private int numberIfAny() {
        tokens.next();
        if (!tokens.isNumberNext()) {
            return Layout.ANY;
        }
        int openings = 0;
        while (tokens.skip("(")) {
            openings++;
        }
        Token number = tokens.next();
        for (; openings > 0; openings--) {
            tokens.require(")", "Expected ')' after the number.");
        }
        if (number.number() == Layout.ANY) {
            throw tokens.refusal(number, "The number is out of range; use a smaller number.");
        }
        return number.number();
    }

    /** Parses protocol, direction, kind and identifier; or a protocol alone. */
    private Part qualified() {
        Token start = tokens.peek();
        Protocol protocol = Protocol.of(start.text());
        if (protocol != null) {
            tokens.next();
        }
        Protocol named = protocol == null ? Protocol.ANY : protocol;
        if (tokens.skip("broadcast")) {
            return alone(terms.broadcast(named));
        }
        if (tokens.skip("multicast")) {
            return alone(terms.multicast(named));
        }
        refuse(tokens.peek());
        Direction direction = direction();
        Kind kind = kind();
        if (direction == null && kind == null) {
            if (protocol == null) {
                throw tokens.refusal(start, "Expected a term, such as 'tcp' or 'host 192.0.2.1'.");
            }
            return alone(terms.protocol(protocol));
        }
        return identifier(new Qualifier(named, direction, kind == null ? Kind.DEFAULT : kind));
    }

    private void refuse(Token token) {
        String refusal = token.kind() == Token.Kind.KEYWORD ? Words.refusal(token.text()) : null;
        if (refusal != null) {
            throw tokens.refusal(token, "'" + token.text() + "' is not supported: " + refusal + '.');
        }
    }

    private @Nullable Direction direction() {
        Token first = tokens.peek();
        if (!first.is("src") && !first.is("dst")) {
            return null;
        }
        tokens.next();
        Direction one = first.is("src") ? Direction.SOURCE : Direction.DESTINATION;
        String other = first.is("src") ? "dst" : "src";
        if (!tokens.peek().isJoiner()) {
            return one;
        }
        Token joiner = tokens.next();
        tokens.require(other, "'" + other + "' must stand here, or an address ahead of '" + joiner.text() + "'.");
        return joiner.is("and") ? Direction.BOTH : Direction.EITHER;
    }

    /** Returns null without a kind. */
    private @Nullable Kind kind() {
        Kind kind =
                switch (tokens.peek().text()) {
                    case "host" -> Kind.HOST;
                    case "net" -> Kind.NET;
                    case "port" -> Kind.PORT;
                    case "portrange" -> Kind.PORTRANGE;
                    case "proto" -> Kind.PROTO;
                    default -> null;
                };
        if (kind == null || tokens.peek().kind() != Token.Kind.KEYWORD) {
            refuse(tokens.peek());
            return null;
        }
        tokens.next();
        return kind;
    }
}
