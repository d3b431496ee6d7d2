package io.chimera.faults.sim.world;

import io.chimera.common.channel.DatagramHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.Listeners;
import io.chimera.common.channel.StreamHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.agrona.concurrent.Agent;

/** Keeps the HTTP handler of a node, and repeats requests until the handler accepts them. */
public final class SimListeners implements Listeners, Agent {
    private final List<SimExchange> waiting = new ArrayList<>();
    private final List<SimExchange> taken = new ArrayList<>();
    private final BooleanSupplier mayOpen;
    private HttpHandler handler;
    private boolean isOpen;
    private boolean isStopped;

    /** Creates listeners that open as soon as they may, and then stay open. */
    SimListeners(BooleanSupplier mayOpen) {
        this.mayOpen = mayOpen;
    }

    /** Returns whether senders can connect. A stopped listener drops their requests. */
    public boolean isOpen() {
        isOpen = isOpen || mayOpen.getAsBoolean();
        return isOpen;
    }

    @Override
    public Endpoint http(Endpoint local, HttpHandler newHandler, Limits limits) {
        handler = newHandler;
        return local;
    }

    @Override
    public Endpoint tcp(Endpoint local, Supplier<StreamHandler> handlers, Limits limits) {
        throw new UnsupportedOperationException("The simulation sends by HTTP.");
    }

    @Override
    public Endpoint udp(Endpoint local, DatagramHandler datagrams) {
        throw new UnsupportedOperationException("The simulation sends by HTTP.");
    }

    /** Sends a request; a stopped listener drops the request. */
    public void send(SimExchange exchange) {
        if (!isStopped) {
            waiting.add(exchange);
            taken.add(exchange);
        }
    }

    @Override
    public String roleName() {
        return "listener";
    }

    /** Runs a round of the listener's thread. */
    @Override
    public int doWork() {
        int before = waiting.size();
        waiting.removeIf(handler::handle);
        return before - waiting.size();
    }

    @Override
    public void unbind() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void stop() {
        isStopped = true;
    }

    @Override
    public int unanswered() {
        taken.removeIf(SimExchange::isAnswered);
        return taken.size();
    }

    @Override
    public void close() {
        waiting.clear();
        taken.clear();
    }
}
