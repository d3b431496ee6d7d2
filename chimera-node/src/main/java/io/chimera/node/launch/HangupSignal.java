package io.chimera.node.launch;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handler for SIGHUP. The signal class is no part of Java SE, so it is looked up by reflection at run time. */
final class HangupSignal {
    private static final Logger LOG = LoggerFactory.getLogger(HangupSignal.class);

    private HangupSignal() {}

    /** Runs an action on every SIGHUP, on a thread of the JVM, instead of ending the process. */
    static void handle(Runnable handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> type = Class.forName("sun.misc.SignalHandler");
            Object proxy =
                    Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
                        if (method.getName().equals("handle")) {
                            handler.run();
                        }
                        return null;
                    });
            Object hangup = signal.getConstructor(String.class).newInstance("HUP");
            signal.getMethod("handle", signal, type).invoke(null, hangup, proxy);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
            LOG.warn("SIGHUP cannot trigger a reload: reason={}. Use POST /-/reload.", String.valueOf(cause));
        }
    }
}
