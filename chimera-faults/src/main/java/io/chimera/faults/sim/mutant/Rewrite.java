package io.chimera.faults.sim.mutant;

import java.util.function.Consumer;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A change to the code of a method of a node's class, made while the class is loaded for a mutant.
 *
 * @param className name of the class, with dots
 * @param method name of the method
 * @param what description of the change
 * @param change the change; runs a callback when the target is found
 */
public record Rewrite(String className, String method, String what, Change change) {
    private static final String HOOKS = Type.getInternalName(MutantHooks.class);

    /** Wraps the code of a method. */
    @FunctionalInterface
    interface Change {
        MethodVisitor of(MethodVisitor code, Runnable found);
    }

    /** Replaces a call of a method by a constant: a number, a truth value (0 or 1) or nothing. */
    static Rewrite callGives(String className, String method, String called, int constant) {
        return new Rewrite(className, method, called + " gives " + constant, (code, found) -> new Code(code) {
            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                if (!name.equals(called)) {
                    super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
                    return;
                }
                found.run();
                popArguments(opcode, descriptor);
                push(Type.getReturnType(descriptor), constant);
            }
        });
    }

    /**
     * Redirects a call of a method to the method of {@link MutantHooks} with the same name and the receiver as first
     * parameter.
     */
    static Rewrite callHooked(String className, String method, String called) {
        return new Rewrite(className, method, called + " is hooked", (code, found) -> new Code(code) {
            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                if (!name.equals(called) || !isHook(name, owner)) {
                    super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
                    return;
                }
                found.run();
                String hooked = "(L" + owner + ";" + descriptor.substring(1);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, name, hooked, false);
            }
        });
    }

    private static boolean isHook(String name, String owner) {
        return Stream.of(MutantHooks.class.getMethods())
                .anyMatch(hook -> hook.getName().equals(name)
                        && Type.getInternalName(hook.getParameterTypes()[0]).equals(owner));
    }

    /** Replaces a call of a method by the value of a local variable, loaded with the given opcode. */
    static Rewrite callGivesLocal(String className, String method, String called, int opcodeOfLoad, int local) {
        return new Rewrite(className, method, called + " gives local " + local, (code, found) -> new Code(code) {
            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                if (!name.equals(called)) {
                    super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
                    return;
                }
                found.run();
                popArguments(opcode, descriptor);
                super.visitVarInsn(opcodeOfLoad, local);
            }
        });
    }

    /** Replaces a read of a field of this object by the value of a local variable of type long. */
    static Rewrite fieldGivesLocal(String className, String method, String field, int local) {
        return new Rewrite(className, method, field + " gives local " + local, (code, found) -> new Code(code) {
            @Override
            public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
                if (opcode != Opcodes.GETFIELD || !name.equals(field)) {
                    super.visitFieldInsn(opcode, owner, name, descriptor);
                    return;
                }
                found.run();
                super.visitInsn(Opcodes.POP);
                super.visitVarInsn(Opcodes.LLOAD, local);
            }
        });
    }

    /** Replaces a read of a field by the value of another field of this object; both are of type long. */
    static Rewrite fieldGivesField(String className, String method, String field, String ownField) {
        return new Rewrite(className, method, field + " gives " + ownField, (code, found) -> new Code(code) {
            @Override
            public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
                if (opcode != Opcodes.GETFIELD || !name.equals(field)) {
                    super.visitFieldInsn(opcode, owner, name, descriptor);
                    return;
                }
                found.run();
                super.visitInsn(Opcodes.POP);
                super.visitVarInsn(Opcodes.ALOAD, 0);
                super.visitFieldInsn(Opcodes.GETFIELD, className.replace('.', '/'), ownField, "J");
            }
        });
    }

    /** Replaces the length of arrays by 0. */
    static Rewrite arraysAreEmpty(String className, String method) {
        return new Rewrite(className, method, "arrays are empty", (code, found) -> new Code(code) {
            @Override
            public void visitInsn(int opcode) {
                if (opcode != Opcodes.ARRAYLENGTH) {
                    super.visitInsn(opcode);
                    return;
                }
                found.run();
                super.visitInsn(Opcodes.POP);
                super.visitInsn(Opcodes.ICONST_0);
            }
        });
    }

    /** Adds code before the method returns. */
    static Rewrite beforeReturn(String className, String method, String what, Consumer<MethodVisitor> more) {
        return new Rewrite(className, method, what, (code, found) -> new Code(code) {
            @Override
            public void visitInsn(int opcode) {
                if (opcode == Opcodes.RETURN) {
                    found.run();
                    more.accept(mv);
                }
                super.visitInsn(opcode);
            }
        });
    }

    /** Changes the bytes of the class; fails when the target does not exist. */
    public byte[] apply(byte[] original) {
        boolean[] isFound = new boolean[1];
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        new ClassReader(original)
                .accept(
                        new ClassVisitor(Opcodes.ASM9, writer) {
                            @Override
                            public MethodVisitor visitMethod(
                                    int access, String name, String descriptor, String signature, String[] thrown) {
                                MethodVisitor code = super.visitMethod(access, name, descriptor, signature, thrown);
                                return name.equals(method) ? change.of(code, () -> isFound[0] = true) : code;
                            }
                        },
                        0);
        if (!isFound[0]) {
            throw new IllegalStateException(
                    "A mutant has lost its target: " + this + ". The code has changed; correct the target in Mutant.");
        }
        return writer.toByteArray();
    }

    @Override
    public String toString() {
        return className + "." + method + ": " + what;
    }

    /** Copies code unchanged, and provides operations to remove a call. */
    private abstract static class Code extends MethodVisitor {
        Code(MethodVisitor code) {
            super(Opcodes.ASM9, code);
        }

        void popArguments(int opcode, String descriptor) {
            Type[] arguments = Type.getArgumentTypes(descriptor);
            for (int i = arguments.length - 1; i >= 0; i--) {
                super.visitInsn(arguments[i].getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
            }
            if (opcode != Opcodes.INVOKESTATIC) {
                super.visitInsn(Opcodes.POP);
            }
        }

        void push(Type type, int constant) {
            if (type.getSort() == Type.LONG) {
                super.visitLdcInsn((long) constant);
            } else if (type.getSort() != Type.VOID) {
                super.visitLdcInsn(constant);
            }
        }
    }
}
