package io.chimera.common.plugin;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Inserts a {@link Checkpoint} before every backward jump of a class. Java cannot end a thread from outside. Endless
 * code in a method either jumps backward or recurses, and a stack overflow ends a recursion.
 */
final class Checkpoints {
    private static final String OWNER = Checkpoint.class.getName().replace('.', '/');

    private Checkpoints() {}

    /** Returns the class with checkpoints; unchanged without backward jumps. */
    static byte[] add(byte[] code) {
        ClassReader reader = new ClassReader(code);
        // a call without arguments and result needs no additional stack
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        return new Jumps(super.visitMethod(access, name, descriptor, signature, exceptions));
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static final class Jumps extends MethodVisitor {
        private final Set<Label> behind = new HashSet<>();

        Jumps(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitLabel(Label label) {
            behind.add(label);
            super.visitLabel(label);
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            checkAt(label);
            super.visitJumpInsn(opcode, label);
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
            checkAt(otherwise);
            checkAt(labels);
            super.visitTableSwitchInsn(min, max, otherwise, labels);
        }

        @Override
        public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
            checkAt(otherwise);
            checkAt(labels);
            super.visitLookupSwitchInsn(otherwise, keys, labels);
        }

        private void checkAt(Label... labels) {
            for (Label label : labels) {
                if (behind.contains(label)) {
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, OWNER, "pass", "()V", false);
                    return;
                }
            }
        }
    }
}
