package io.chimera.archive.query.text;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Port names: the common entries of /etc/services in Debian 12. The fixed table makes an answer independent of the
 * machine.
 */
public final class Services {
    private static final String TABLE = """
        tcpmux 1 t, echo 7 tu, discard 9 tu, systat 11 t, daytime 13 tu, netstat 15 t, qotd 17 t, chargen 19 tu,
        ftp-data 20 t, ftp 21 t, fsp 21 u, ssh 22 t, telnet 23 t, smtp 25 t, mail 25 t, time 37 tu, whois 43 t,
        tacacs 49 tu, domain 53 tu, bootps 67 u, bootpc 68 u, tftp 69 u, gopher 70 t, finger 79 t, http 80 t, www 80 t,
        kerberos 88 tu, iso-tsap 102 t, pop3 110 t, sunrpc 111 tu, portmapper 111 tu, auth 113 t, ident 113 t, nntp 119 t,
        ntp 123 u, epmap 135 t, netbios-ns 137 u, netbios-dgm 138 u, netbios-ssn 139 t, imap2 143 t, imap 143 t,
        snmp 161 tu, snmp-trap 162 tu, snmptrap 162 tu, xdmcp 177 u, bgp 179 t, ptp-event 319 u, ptp-general 320 u,
        ldap 389 tu, svrloc 427 tu, https 443 tu, microsoft-ds 445 t, kpasswd 464 tu, submissions 465 t, smtps 465 t,
        isakmp 500 u, exec 512 t, biff 512 u, login 513 t, who 513 u, shell 514 t, printer 515 t,
        talk 517 u, ntalk 518 u, route 520 u, rtsp 554 tu, dhcpv6-client 546 u, dhcpv6-server 547 u, nntps 563 t,
        submission 587 t, asf-rmcp 623 u, ipp 631 t, ldaps 636 tu, ldp 646 tu, domain-s 853 tu, rsync 873 t,
        ftps-data 989 t, ftps 990 t, telnets 992 t, imaps 993 t, pop3s 995 t, socks 1080 t, openvpn 1194 tu,
        rmiregistry 1099 t, ms-sql-s 1433 t, ms-sql-m 1434 u, l2f 1701 u, l2tp 1701 u, radius 1812 tu,
        radius-acct 1813 tu, radacct 1813 tu, nfs 2049 tu, gsigatekeeper 2119 t, mysql 3306 t, ms-wbt-server 3389 t,
        iscsi-target 3260 t, distcc 3632 t, svn 3690 t, epmd 4369 t, ipsec-nat-t 4500 u, iax 4569 u, munin 4949 t,
        sip 5060 tu, sip-tls 5061 tu, xmpp-client 5222 t, xmpp-server 5269 t, mdns 5353 u, postgresql 5432 t,
        nrpe 5666 t, amqps 5671 t, amqp 5672 ts, x11 6000 t, syslog-tls 6514 t, ircd 6667 t, redis 6379 t, babel 6696 u,
        ircs-u 6697 t, http-alt 8080 t, webcache 8080 t, puppet 8140 t, git 9418 t, webmin 10000 t, zabbix-agent 10050 t,
        zabbix-trapper 10051 t
        """;

    private static final Map<String, Service> SERVICES = read();

    private Services() {}

    /**
     * Named port.
     *
     * @param protocol protocol of the port; {@link Protocol#ANY}: TCP and UDP
     */
    public record Service(int port, Protocol protocol) {}

    /** Returns null for an unknown name. */
    public static @Nullable Service of(String name) {
        return SERVICES.get(name);
    }

    private static Map<String, Service> read() {
        Map<String, Service> services = new HashMap<>();
        for (String entry : TABLE.strip().split(",\\s+", -1)) {
            String[] parts = entry.split(" ", -1);
            boolean isTcp = parts[2].indexOf('t') >= 0;
            boolean isUdp = parts[2].indexOf('u') >= 0;
            Protocol protocol = isTcp && isUdp ? Protocol.ANY : isTcp ? Protocol.TCP : Protocol.UDP;
            services.put(parts[0], new Service(Integer.parseInt(parts[1]), protocol));
        }
        return services;
    }
}
