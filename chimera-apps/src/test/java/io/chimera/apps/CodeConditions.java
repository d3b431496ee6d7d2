package io.chimera.apps;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Conditions of {@link ArchitectureTest} on code, beyond the imports of a class. */
final class CodeConditions {

    private static final int ASM_API = Opcodes.ASM9;

    /** Sources of time and randomness that a simulation cannot repeat. */
    private static final Pattern TIME_OR_CHANCE = Pattern.compile(String.join(
            "|",
            "java\\.lang\\.System\\.(nanoTime|currentTimeMillis)",
            "java\\.lang\\.Thread\\.sleep",
            "java\\.lang\\.Math\\.random",
            "java\\.util\\.Random\\.<init>",
            "java\\.util\\.concurrent\\.ThreadLocalRandom\\..*",
            "java\\.time\\.Instant\\.now",
            "java\\.time\\.Clock\\.(system|tick).*"));

    /** Calls that allocate, box, log, format or wait. */
    private static final Pattern SLOW = Pattern.compile(String.join(
            "|",
            "java\\.lang\\.String\\.(format|formatted)",
            "java\\.lang\\.(Boolean|Byte|Character|Short|Integer|Long|Float|Double)\\.valueOf",
            "java\\.lang\\.Thread\\.sleep",
            "java\\.util\\.Optional(Int|Long|Double)?\\..*",
            "java\\.util\\.stream\\..*",
            "org\\.slf4j\\..*"));

    private CodeConditions() {}

    static ArchCondition<JavaClass> notAskForTimeOrChance() {
        return new ArchCondition<>("not ask the JDK for time or chance") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                reportAccesses(type.getAccessesFromSelf(), TIME_OR_CHANCE, type, events);
            }
        };
    }

    /** Enums and exceptions are serializable by inheritance and do not declare the interface themselves. */
    static ArchCondition<JavaClass> notDeclareToBeSerializable() {
        return new ArchCondition<>("not declare to be Serializable or Externalizable") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (JavaClass declared : type.getRawInterfaces()) {
                    String name = declared.getFullName();
                    if (name.equals("java.io.Serializable") || name.equals("java.io.Externalizable")) {
                        events.add(SimpleConditionEvent.violated(type, type.getDescription() + " implements " + name));
                    }
                }
            }
        };
    }

    static ArchCondition<JavaCodeUnit> callNothingSlow() {
        return new ArchCondition<>("not lock, box, log, format, sleep, nor use streams or Optional") {
            @Override
            public void check(JavaCodeUnit method, ConditionEvents events) {
                reportAccesses(method.getAccessesFromSelf(), SLOW, method, events);
                if (method.getModifiers().contains(JavaModifier.SYNCHRONIZED) || entersMonitor(method)) {
                    events.add(SimpleConditionEvent.violated(method, method.getDescription() + " is synchronized"));
                }
            }
        };
    }

    private static void reportAccesses(
            Iterable<? extends JavaAccess<?>> accesses, Pattern refused, Object where, ConditionEvents events) {
        for (JavaAccess<?> access : accesses) {
            String target = access.getTargetOwner().getFullName() + "."
                    + access.getTarget().getName();
            if (refused.matcher(target).matches()) {
                events.add(SimpleConditionEvent.violated(where, access.getDescription()));
            }
        }
    }

    /** Reads the method's instructions, because ArchUnit does not report synchronized blocks. */
    private static boolean entersMonitor(JavaCodeUnit method) {
        AtomicBoolean found = new AtomicBoolean();
        MethodVisitor instructions = new MethodVisitor(ASM_API) {
            @Override
            public void visitInsn(int opcode) {
                if (opcode == Opcodes.MONITORENTER) {
                    found.set(true);
                }
            }
        };
        ClassVisitor methods = new ClassVisitor(ASM_API) {
            @Override
            public MethodVisitor visitMethod(
                    int access, String name, String descriptor, String signature, String[] exceptions) {
                boolean wanted = name.equals(method.getName()) && descriptor.equals(method.getDescriptor());
                return wanted ? instructions : null;
            }
        };
        var source = method.getOwner().getSource().orElseThrow();
        try (InputStream bytes = source.getUri().toURL().openStream()) {
            new ClassReader(bytes).accept(methods, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found.get();
    }
}
