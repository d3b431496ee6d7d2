package io.chimera.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Code reached from methods with {@code @HotPath}, over any number of calls inside the project, up to methods with
 * {@code @ColdPath}: it neither allocates nor locks, boxes, logs, formats or waits. Exceptions and their texts are
 * exempt. The search sees lambda bodies, but not the overriding methods of a called method, nor allocations inside
 * the JDK such as {@code Arrays.copyOf} and iterators: the allocation tests of the stages show these.
 */
final class HotPathTest {
    /** Surefire sets basedir to the module's folder; other runners start tests there. */
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    private static final List<String> MODULES = List.of(
            "api",
            "common",
            "native",
            "flow",
            "queue",
            "archive",
            "processor",
            "dataset",
            "coordinator",
            "apps",
            "node");

    private static final String OURS = "io/chimera/";
    private static final String HOT = "Lio/chimera/api/HotPath;";
    private static final String COLD = "Lio/chimera/api/ColdPath;";

    /** Calls that allocate, box, log, format or wait. */
    private static final Pattern SLOW = Pattern.compile(String.join(
            "|",
            "java/lang/String\\.(format|formatted|valueOf|substring|split|concat|toLowerCase|toUpperCase|getBytes)",
            "java/lang/(Boolean|Byte|Character|Short|Integer|Long|Float|Double)\\.(valueOf|toString)",
            "java/lang/Thread\\.(sleep|join)",
            "java/lang/Object\\.wait",
            "java/util/concurrent/locks/.*\\.(lock|lockInterruptibly|await|park.*)",
            "java/util/concurrent/.*(Future|Latch|Semaphore|BlockingQueue)\\.(get|join|await|acquire|put|take)",
            "java/util/Optional(Int|Long|Double)?\\..*",
            "java/util/stream/.*",
            "java/util/(List|Set|Map)\\.(of|copyOf)",
            "org/slf4j/.*"));

    /** A handle per record that the JVM does not allocate: AppendAllocationTest. */
    private static final Set<String> PROVEN_FREE = Set.of("new io/chimera/archive/streamfs/store/RecordHandle");

    /** A method with the calls and defects of its code. */
    private static final class Code {
        private final String name;
        private boolean isHot;
        private boolean isCold;
        private boolean isAbstract;
        private final Set<String> calls = new TreeSet<>();
        private final List<String> defects = new ArrayList<>();

        Code(String name) {
            this.name = name;
        }
    }

    private final Map<String, Code> methods = new TreeMap<>();
    private final Map<String, String> superclasses = new TreeMap<>();

    @Test
    void codeBelowTheHotPathIsFast() {
        classFiles().forEach(this::read);

        assertThat(defectsBelow("")).isEmpty();
    }

    /** Shows that the rule sees an allocation two calls below the annotation. */
    @Test
    void findsAnAllocationTwoCallsBelow() {
        read(source(HotPathPlant.class));

        assertThat(defectsBelow("HotPathPlant")).singleElement().asString().contains("HotPathPlant.second", "new");
    }

    private List<String> defectsBelow(String roots) {
        Map<String, String> reachedFrom = new TreeMap<>();
        Deque<Code> open = new ArrayDeque<>();
        methods.values().stream()
                .filter(code -> code.isHot && code.name.contains(roots))
                .forEach(code -> {
                    reachedFrom.put(code.name, "");
                    open.add(code);
                });
        assertThat(open).isNotEmpty();
        List<String> defects = new ArrayList<>();
        while (!open.isEmpty()) {
            Code code = open.poll();
            code.defects.forEach(defect -> defects.add(code.name + ": " + defect + path(code.name, reachedFrom)));
            for (String call : code.calls) {
                Code callee = resolve(call);
                if (callee != null && !callee.isCold && !callee.isAbstract && !reachedFrom.containsKey(callee.name)) {
                    reachedFrom.put(callee.name, code.name);
                    open.add(callee);
                }
            }
        }
        return defects;
    }

    private static String path(String name, Map<String, String> reachedFrom) {
        StringBuilder path = new StringBuilder();
        for (String from = reachedFrom.get(name); !from.isEmpty(); from = reachedFrom.get(from)) {
            path.append(" <- ").append(from, 0, from.indexOf('('));
        }
        return path.toString();
    }

    /** Finds a method in its class or the nearest superclass. */
    private Code resolve(String call) {
        int dot = call.indexOf('.');
        for (String type = call.substring(0, dot); type != null; type = superclasses.get(type)) {
            Code found = methods.get(type + call.substring(dot));
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private void read(Path file) {
        try (InputStream bytes = Files.newInputStream(file)) {
            new ClassReader(bytes).accept(new Reader(), ClassReader.SKIP_FRAMES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path source(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .resolve(type.getName().replace('.', '/') + ".class");
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the main classes of the modules that are built before this module. */
    private static List<Path> classFiles() {
        List<Path> files = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> all = Files.walk(ROOT.resolve("chimera-" + module + "/target/classes"))) {
                all.filter(file -> file.toString().endsWith(".class")).forEach(files::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return files;
    }

    /** Reads one class file. */
    private final class Reader extends ClassVisitor {
        private String type;

        Reader() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
            type = name;
            superclasses.put(name, parent);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            Code code = new Code(type + "." + name + descriptor);
            methods.put(code.name, code);
            code.isAbstract = (access & Opcodes.ACC_ABSTRACT) != 0;
            if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
                code.defects.add("synchronized");
            }
            return new Instructions(code);
        }
    }

    /** Reads the instructions of a method. */
    private static final class Instructions extends MethodVisitor {
        private final Code code;
        private int line;

        /** Number of exceptions under construction; their texts and arguments are exempt. */
        private int exceptions;

        Instructions(Code code) {
            super(Opcodes.ASM9);
            this.code = code;
        }

        @Override
        public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            code.isHot |= descriptor.equals(HOT);
            code.isCold |= descriptor.equals(COLD);
            return null;
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
        }

        private void report(String what) {
            if (exceptions == 0 && !PROVEN_FREE.contains(what)) {
                code.defects.add(what + " in line " + line);
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.MONITORENTER) {
                report("synchronized");
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            if (opcode == Opcodes.NEWARRAY) {
                report("new array");
            }
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            report("new array");
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            if (opcode == Opcodes.NEW && isException(type)) {
                exceptions++;
            } else if (opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY) {
                report("new " + type);
            }
        }

        private static boolean isException(String type) {
            return type.endsWith("Exception") || type.endsWith("Error");
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            if (bootstrap.getName().startsWith("makeConcat")) {
                report("text");
            } else if (Type.getArgumentCount(descriptor) > 0) {
                report("lambda with captured values");
            }
            for (Object argument : arguments) {
                if (argument instanceof Handle body && body.getOwner().startsWith(OURS)) {
                    code.calls.add(body.getOwner() + "." + body.getName() + body.getDesc());
                }
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (exceptions > 0 && name.equals("<init>") && isException(owner)) {
                exceptions--;
            } else if (SLOW.matcher(owner + "." + name).matches()) {
                report("call of " + owner + "." + name);
            } else if (owner.startsWith(OURS) && exceptions == 0) {
                code.calls.add(owner + "." + name + descriptor);
            }
        }
    }
}
