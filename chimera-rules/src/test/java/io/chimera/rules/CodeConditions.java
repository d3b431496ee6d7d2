package io.chimera.rules;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.regex.Pattern;

/** Conditions of {@link ArchitectureTest} on code, beyond the imports of a class. */
final class CodeConditions {

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
}
