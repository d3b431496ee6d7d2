package io.chimera.archive.query.filter;

import io.chimera.archive.query.condition.Condition;
import io.chimera.archive.query.filter.Qualifier.Kind;
import io.chimera.archive.query.text.Address;
import io.chimera.archive.query.text.Address.Short4;
import io.chimera.archive.query.text.Protocol;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.query.text.Services;
import io.chimera.archive.query.text.Services.Service;
import io.chimera.archive.query.text.Token;
import io.chimera.archive.query.text.TokenReader;
import io.chimera.archive.query.text.Words;
import java.util.Objects;

/** Parses addresses, nets, ports and protocols according to their qualifiers. */
final class Identifiers {
    private static final int BITS4 = 32;
    private static final int BITS6 = 128;

    private final TokenReader tokens;
    private final PacketTerms terms;

    Identifiers(TokenReader tokens, PacketTerms terms) {
        this.tokens = tokens;
        this.terms = terms;
    }

    Condition read(Qualifier qualifier) {
        Token token = tokens.next();
        if (qualifier.kind() == Kind.NONE) {
            throw tokens.refusal(
                    token, "The kind is missing: write 'host', 'net', 'port', 'proto' or 'ether host' before it.");
        }
        try {
            return switch (token.kind()) {
                case ADDRESS4 -> address4(qualifier, token);
                case ADDRESS6 -> address6(qualifier, token);
                case ETHERNET -> ethernet(qualifier, token);
                case NUMBER -> number(qualifier, token);
                case NAME -> name(qualifier, token);
                default -> throw new QuestionException("Expected an address, a number or a name.");
            };
        } catch (QuestionException e) {
            throw tokens.placed(e, token);
        }
    }

    // Addresses

    private Condition address4(Qualifier qualifier, Token token) {
        Short4 address = short4(token);
        if (tokens.isNext("/") || tokens.isNext("mask")) {
            int mask = tokens.skip("/") ? maskOf(length(BITS4)) : mask();
            if (qualifier.kind() != Kind.NET) {
                throw new QuestionException("Only a net has a mask; write 'net' before it.");
            }
            if ((address.promoted() & ~mask) != 0) {
                throw new QuestionException("The address has bits outside its mask; set them to 0.");
            }
            return terms.address4(qualifier, address.promoted(), mask);
        }
        if (!qualifier.kind().isHost() && qualifier.kind() != Kind.NET) {
            throw new QuestionException("This is an address; write 'host' or 'net' before it.");
        }
        return terms.address4(qualifier, address.promoted(), maskOf(address.length()));
    }

    private int mask() {
        tokens.next();
        Token mask = tokens.next();
        if (mask.kind() != Token.Kind.ADDRESS4) {
            throw tokens.refusal(mask, "Expected a mask such as 255.255.0.0.");
        }
        return short4(mask).promoted();
    }

    private Short4 short4(Token token) {
        Short4 address = Address.short4(token.text());
        if (address == null) {
            throw tokens.refusal(token, "The parts of an IPv4 address are decimal numbers up to 255.");
        }
        return address;
    }

    private static int maskOf(int length) {
        return length == 0 ? 0 : -1 << (BITS4 - length);
    }

    private int length(int max) {
        Token length = tokens.next();
        if (length.kind() != Token.Kind.NUMBER || Integer.compareUnsigned(length.number(), max) > 0) {
            throw tokens.refusal(length, "The length of a mask is a number up to " + max + '.');
        }
        return length.number();
    }

    private Condition address6(Qualifier qualifier, Token token) {
        Address address = Objects.requireNonNull(Address.parse6(token.text()), "an address token always parses");
        int bits = tokens.skip("/") ? length(BITS6) : BITS6;
        long highMask = bits >= 64 ? -1 : bits == 0 ? 0 : -1L << (64 - bits);
        long lowMask = bits <= 64 ? 0 : -1L << (BITS6 - bits);
        if ((address.high() & ~highMask) != 0 || (address.low() & ~lowMask) != 0) {
            throw new QuestionException("The address has bits outside its mask; set them to 0.");
        }
        if (qualifier.kind().isHost() && bits != BITS6) {
            throw new QuestionException("Only a net has a mask; write 'net' before it.");
        }
        if (!qualifier.kind().isHost() && qualifier.kind() != Kind.NET) {
            throw new QuestionException("This is an address; write 'host' or 'net' before it.");
        }
        return terms.address6(qualifier, address, bits);
    }

    private Condition ethernet(Qualifier qualifier, Token token) {
        if (!qualifier.kind().isHost() || qualifier.protocol() != Protocol.LINK) {
            throw new QuestionException(
                    "This is an Ethernet address; write 'ether host', 'ether src' or 'ether dst' before it.");
        }
        long address = 0;
        String[] groups = token.text().split("[:.-]", -1);
        for (String group : groups) {
            int bits = groups.length == 6 ? 8 : 4 * group.length();
            address = address << bits | Long.parseLong(group, 16);
        }
        return terms.ethernet(qualifier.end(), address);
    }

    // Numbers and names

    private Condition number(Qualifier qualifier, Token token) {
        int number = token.number();
        if (qualifier.kind() == Kind.PROTO) {
            return terms.number(qualifier, number);
        }
        if (qualifier.kind().isPorts()) {
            return terms.ports(qualifier, qualifier.protocol(), number, number);
        }
        if (qualifier.protocol() == Protocol.LINK) {
            throw new QuestionException("Expected an Ethernet address, such as 00:00:5e:00:53:01.");
        }
        if (tokens.isNext("/")) {
            throw new QuestionException(
                    "A net with a mask length has two parts or more: write " + token.text() + ".0/...");
        }
        if (qualifier.kind() == Kind.NET) {
            int zeros = number == 0 ? 0 : Integer.numberOfLeadingZeros(number) / 8 * 8;
            return terms.address4(qualifier, number << zeros, -1 << zeros);
        }
        return terms.address4(qualifier, number, -1);
    }

    private Condition name(Qualifier qualifier, Token token) {
        return switch (qualifier.kind()) {
            case PORT -> {
                Service service = service(token.text());
                yield terms.ports(qualifier, carrier(qualifier, service.protocol()), service.port(), service.port());
            }
            case PORTRANGE -> portRange(qualifier, token.text());
            case PROTO -> terms.number(qualifier, protocol(qualifier, token.text()));
            case NET -> throw new QuestionException("Names of nets are not looked up; write the address.");
            default ->
                throw new QuestionException(
                        "Names of hosts are not looked up, because a name may have had another address"
                                + " at that time; write an address.");
        };
    }

    private Condition portRange(Qualifier qualifier, String text) {
        int dash = text.indexOf('-');
        Service whole = Services.of(text);
        if (dash < 0 || whole != null) {
            Service only = whole == null ? service(text) : whole;
            return terms.ports(qualifier, carrier(qualifier, only.protocol()), only.port(), only.port());
        }
        Service first = service(text.substring(0, dash));
        Service last = service(text.substring(dash + 1));
        Protocol carrier = first.protocol() == last.protocol() ? first.protocol() : Protocol.ANY;
        return terms.ports(qualifier, carrier(qualifier, carrier), first.port(), last.port());
    }

    private static Service service(String name) {
        Service service = Services.of(name);
        if (service != null) {
            return service;
        }
        try {
            return new Service(Integer.parseInt(name), Protocol.ANY);
        } catch (NumberFormatException e) {
            throw new QuestionException("'" + name + "' is not a known port name; write the number.");
        }
    }

    /**
     * Returns the protocol of the qualifier or, without a protocol in the qualifier, the protocol of the service name.
     */
    private static Protocol carrier(Qualifier qualifier, Protocol named) {
        if (qualifier.protocol() == Protocol.ANY || !qualifier.protocol().hasPorts()) {
            return qualifier.protocol() == Protocol.ANY ? named : qualifier.protocol();
        }
        if (named != Protocol.ANY && named != qualifier.protocol()) {
            throw new QuestionException("The name belongs to a port of " + named.word() + "; write '" + named.word()
                    + "' before it, or the number.");
        }
        return qualifier.protocol();
    }

    private static int protocol(Qualifier qualifier, String name) {
        boolean isLink = qualifier.protocol() == Protocol.LINK;
        Integer number = isLink ? Words.linkProtocol(name) : Words.ipProtocol(name);
        if (number == null) {
            throw new QuestionException("'" + name + "' is not a known protocol of " + (isLink ? "Ethernet" : "IP")
                    + "; write the number.");
        }
        return number;
    }
}
