/* Moves the calling thread of a Java test to a network namespace. */
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <sched.h>
#include <unistd.h>

JNIEXPORT jint JNICALL Java_io_chimera_jni_capture_Namespaces_enter(JNIEnv *env, jclass type, jstring path);

JNIEXPORT jint JNICALL Java_io_chimera_jni_capture_Namespaces_enter(JNIEnv *env, jclass type, jstring path) {
    (void)type;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    int result = descriptor >= 0 && setns(descriptor, CLONE_NEWNET) == 0 ? 0 : errno;
    if (descriptor >= 0) {
        (void)close(descriptor);
    }
    (*env)->ReleaseStringUTFChars(env, path, name);
    return result;
}
