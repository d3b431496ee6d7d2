package io.chimera.common.metrics;

/** Counters of authentication and authorization. */
public enum AccessCounter implements CounterDescriptor {
    /** Requests without credentials. */
    UNAUTHENTICATED("unauthenticated", "Requests and connections refused for lack of credentials."),
    /** Wrong credentials. */
    LOGINS_FAILED("logins_failed", "Requests and connections refused because of wrong or expired credentials."),
    /** Attempts of blocked addresses. */
    ADDRESSES_BLOCKED("addresses_blocked", "Requests refused because their address had too many failed logins."),
    /** Deferred password checks. */
    PASSWORD_CHECKS_DEFERRED(
            "password_checks_deferred", "Logins deferred because at most two passwords per second are checked."),
    /** Missing roles. */
    FORBIDDEN("forbidden", "Requests and connections refused because of a missing role or an address not allowed."),
    /** Requests of web pages. */
    PAGES_REFUSED("pages_refused", "Requests without credentials refused because a web page in a browser sent them."),
    /** Requests to another host. */
    HOSTS_REFUSED(
            "hosts_refused",
            "Requests from loopback addresses refused because their Host header names another machine."),
    /** Requests beyond a quota. */
    QUOTA_EXCEEDED("quota_exceeded", "Requests and connections refused because the principal exceeded its quota."),
    /** Datagrams of forbidden addresses. */
    DATAGRAMS_REFUSED("datagrams_refused", "Datagrams dropped because their source address is not allowed."),
    /** Unwritten audit records. */
    AUDIT_RECORDS_LOST("audit_records_lost", "Audit records not written because the disk failed or was too slow.");

    private final String what;
    private final String help;

    AccessCounter(String what, String help) {
        this.what = what;
        this.help = help;
    }

    @Override
    public String stage() {
        return "access";
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
