package io.chimera.common.metrics;

/** Counters of authentication and authorization. */
public enum AccessCounter implements CounterDescriptor {
    UNAUTHENTICATED("unauthenticated", "Requests and connections refused for lack of credentials."),
    LOGINS_FAILED("logins_failed", "Requests and connections refused because of wrong or expired credentials."),
    ADDRESSES_BLOCKED("addresses_blocked", "Requests refused because their address had too many failed logins."),
    PASSWORD_CHECKS_DEFERRED(
            "password_checks_deferred", "Logins deferred because at most two passwords per second are checked."),
    FORBIDDEN("forbidden", "Requests and connections refused because of a missing role or an address not allowed."),
    PAGES_REFUSED("pages_refused", "Requests without credentials refused because a web page in a browser sent them."),
    HOSTS_REFUSED(
            "hosts_refused",
            "Requests from loopback addresses refused because their Host header names another machine."),
    QUOTA_EXCEEDED("quota_exceeded", "Requests and connections refused because the principal exceeded its quota."),
    DATAGRAMS_REFUSED("datagrams_refused", "Datagrams dropped because their source address is not allowed."),
    AUDIT_RECORDS_LOST("audit_records_lost", "Audit records not written because the disk failed or was too slow.");

    private final MetricText text;

    AccessCounter(String what, String help) {
        text = new MetricText("access", what, help);
    }

    @Override
    public MetricText text() {
        return text;
    }
}
