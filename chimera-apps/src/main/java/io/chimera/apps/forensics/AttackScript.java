package io.chimera.apps.forensics;

import io.chimera.apps.forensics.TcpConversation.Planted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Creates the packets of an attack in the order of their times. */
final class AttackScript {
    private static final Set<Monitor> WITH_A = EnumSet.of(Monitor.GATEWAY, Monitor.PATH_A);
    private static final Set<Monitor> WITH_B = EnumSet.of(Monitor.GATEWAY, Monitor.PATH_B);
    private static final Set<Monitor> INSIDE = EnumSet.of(Monitor.PATH_A, Monitor.PATH_B);
    private static final int IRC = 6667;
    private static final int SMTP = 25;
    private static final int MAIL_SERVERS = 40;
    private static final long BEACON_S = 20;

    private final TwoStageAttack attack;
    private final List<Planted> packets = new ArrayList<>();

    private AttackScript(TwoStageAttack attack) {
        this.attack = attack;
    }

    static List<Planted> of(TwoStageAttack attack) {
        AttackScript script = new AttackScript(attack);
        script.scan();
        script.breakIn();
        script.secondStage();
        script.control();
        script.spam();
        script.packets.sort(Comparator.comparingLong(Planted::timeNs));
        return script.packets;
    }

    private void add(TcpConversation conversation) {
        packets.addAll(conversation.packets());
    }

    /** X scans the ports of A. */
    private void scan() {
        int[] ports = {21, 23, 80, 135, 139, 443, 445, 3306, 3389};
        for (int i = 0; i < ports.length; i++) {
            add(new TcpConversation(attack.attacker(), 40_000 + i, attack.foothold(), ports[i], WITH_A)
                    .refused(attack.atNs(TwoStageAttack.SCAN_S + i, 0)));
        }
    }

    /** X controls A through a shell for two minutes. */
    private void breakIn() {
        TcpConversation shell = new TcpConversation(attack.attacker(), 40_100, attack.foothold(), 22, WITH_A);
        shell.open(attack.atNs(TwoStageAttack.BREAK_IN_S, 0));
        for (int i = 1; i < 60; i++) {
            shell.say(attack.atNs(TwoStageAttack.BREAK_IN_S + 2L * i, 0), "run stage " + i + "\n");
            shell.hear(attack.atNs(TwoStageAttack.BREAK_IN_S + 2L * i, 300), "done " + i + "\n");
        }
        add(shell.close(attack.atNs(TwoStageAttack.BREAK_IN_S + 125, 0)));
    }

    /** A attacks B. Only the inside monitors see these packets. */
    private void secondStage() {
        TcpConversation exploit = new TcpConversation(attack.foothold(), 50_200, attack.bot(), 445, INSIDE);
        exploit.open(attack.atNs(TwoStageAttack.SECOND_STAGE_S, 0));
        for (int i = 0; i < 5; i++) {
            exploit.say(attack.atNs(TwoStageAttack.SECOND_STAGE_S, 200 + 100L * i), "x".repeat(1200));
        }
        add(exploit.close(attack.atNs(TwoStageAttack.SECOND_STAGE_S + 2, 0)));
    }

    /** B stays in Z's channel until Z sends the command. */
    private void control() {
        TcpConversation channel = new TcpConversation(attack.bot(), 51_300, attack.master(), IRC, WITH_B);
        channel.open(attack.atNs(TwoStageAttack.CONTACT_S, 0));
        channel.say(attack.atNs(TwoStageAttack.CONTACT_S, 100), "NICK bot\r\nUSER bot 0 * :bot\r\nJOIN #control\r\n");
        for (long s = TwoStageAttack.CONTACT_S + BEACON_S; s < TwoStageAttack.SPAM_S + 5 * BEACON_S; s += BEACON_S) {
            channel.hear(attack.atNs(s, 700), "PING :master\r\n");
            channel.say(attack.atNs(s, 750), "PONG :master\r\n");
        }
        channel.hear(attack.atNs(TwoStageAttack.SPAM_S, -500), "PRIVMSG #control :spam now\r\n");
        add(channel);
    }

    private void spam() {
        for (int i = 0; i < MAIL_SERVERS; i++) {
            long s = TwoStageAttack.SPAM_S + i;
            add(new TcpConversation(attack.bot(), 52_000 + i, "203.0.113." + (i + 1), SMTP, WITH_B)
                    .open(attack.atNs(s, 0))
                    .hear(attack.atNs(s, 100), "220 mail ready\r\n")
                    .say(attack.atNs(s, 200), "HELO b\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n")
                    .say(attack.atNs(s, 300), "Subject: buy\r\n\r\nbuy\r\n.\r\n")
                    .close(attack.atNs(s, 500)));
        }
    }
}
