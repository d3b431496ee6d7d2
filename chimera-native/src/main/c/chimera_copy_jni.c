/* Translates between SummedCopy.java and chimera_copy.h only. Memory is passed as an address. */
#include "chimera_copy.h"

#include <jni.h>

#define FACE(type, name) JNIEXPORT type JNICALL Java_io_chimera_jni_stream_SummedCopy_##name

static void *pointer(jlong address) {
    return (void *)(uintptr_t)address;
}

FACE(jboolean, prepare)(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
    return chimera_copy_prepare();
}

FACE(jint, crc32c)(JNIEnv *env, jclass type, jlong to, jlong from, jint bytes) {
    (void)env;
    (void)type;
    return (jint)chimera_copy_crc32c(pointer(to), pointer(from), (size_t)bytes);
}

FACE(void, enlargePages)(JNIEnv *env, jclass type, jlong memory, jlong bytes) {
    (void)env;
    (void)type;
    chimera_copy_enlarge_pages(pointer(memory), (size_t)bytes);
}
