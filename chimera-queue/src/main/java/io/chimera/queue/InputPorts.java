package io.chimera.queue;

import io.chimera.common.access.AccessControl;
import io.chimera.common.channel.DatagramHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.channel.Listeners;
import io.chimera.common.channel.StreamHandler;
import io.chimera.flow.capture.CaptureInput;
import io.chimera.queue.source.PolledSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** All inputs of the node: listeners, polled sources and captures. They are stopped together. */
final class InputPorts implements Listeners {
    private final Listeners listeners;
    private final AccessControl access;
    private final List<PolledSource> sources = new CopyOnWriteArrayList<>();
    private final List<CaptureInput> captures = new CopyOnWriteArrayList<>();

    InputPorts(Listeners listeners, AccessControl access) {
        this.listeners = listeners;
        this.access = access;
    }

    /** Access control of the inputs. */
    AccessControl access() {
        return access;
    }

    void start(PolledSource source) {
        sources.add(source);
        source.start();
    }

    void start(CaptureInput capture) {
        captures.add(capture);
        capture.start();
    }

    @Override
    public Endpoint http(Endpoint address, HttpHandler handler, Limits limits) {
        return listeners.http(address, handler, limits);
    }

    @Override
    public Endpoint tcp(Endpoint address, Supplier<StreamHandler> handlers, Limits limits) {
        return listeners.tcp(address, handlers, limits);
    }

    @Override
    public Endpoint udp(Endpoint address, DatagramHandler handler) {
        return listeners.udp(address, handler);
    }

    @Override
    public void unbind() {
        listeners.unbind();
    }

    @Override
    public void stop() {
        sources.forEach(PolledSource::stop);
        captures.forEach(CaptureInput::stop);
        listeners.stop();
    }

    @Override
    public int unanswered() {
        return listeners.unanswered()
                + captures.stream().mapToInt(CaptureInput::unanswered).sum();
    }

    @Override
    public void close() {
        sources.forEach(PolledSource::close);
        captures.forEach(CaptureInput::close);
        listeners.close();
    }
}
