/*
 * Translates between DeviceLibrary.java and chimera_device.h only. Memory owned by Java is passed as an address. No
 * function throws: the functions return the results of the device, and Java converts errors to exceptions.
 */
#include "chimera_device.h"

#include <jni.h>

#define FACE(type, name) JNIEXPORT type JNICALL Java_io_chimera_jni_stream_DeviceLibrary_##name

static void *pointer(jlong address) {
    return (void *)(uintptr_t)address;
}

FACE(jint, version)(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
    return CHIMERA_DEVICE_VERSION;
}

FACE(jboolean, available)(JNIEnv *env, jclass type, jint mechanism, jlong cause, jint capacity) {
    (void)env;
    (void)type;
    return chimera_device_available((uint32_t)mechanism, pointer(cause), (size_t)capacity) != 0;
}

FACE(jlong, open)
(JNIEnv *env, jclass type, jlong target, jlong bytes, jint depth, jint mechanism, jlong error, jint capacity) {
    (void)env;
    (void)type;
    struct chimera_device_options options = {
            .target = pointer(target),
            .bytes = (uint64_t)bytes,
            .depth = (uint32_t)depth,
            .mechanism = (uint32_t)mechanism,
    };
    chimera_device *device = NULL;
    int result = chimera_device_open(&options, &device, pointer(error), (size_t)capacity);
    return result < 0 ? result : (jlong)(uintptr_t)device;
}

FACE(void, facts)(JNIEnv *env, jclass type, jlong handle, jlong facts) {
    (void)env;
    (void)type;
    chimera_device_facts(pointer(handle), pointer(facts));
}

FACE(jint, register)(JNIEnv *env, jclass type, jlong handle, jlong memory, jlong bytes) {
    (void)env;
    (void)type;
    return chimera_device_register(pointer(handle), pointer(memory), (size_t)bytes);
}

FACE(jint, write)
(JNIEnv *env, jclass type, jlong handle, jlong offset, jlong memory, jint bytes, jlong token) {
    (void)env;
    (void)type;
    return chimera_device_write(pointer(handle), (uint64_t)offset, pointer(memory), (uint32_t)bytes, (uint64_t)token);
}

FACE(jint, flush)(JNIEnv *env, jclass type, jlong handle, jlong token) {
    (void)env;
    (void)type;
    return chimera_device_flush(pointer(handle), (uint64_t)token);
}

FACE(jint, poll)(JNIEnv *env, jclass type, jlong handle, jlong completions, jint max, jint timeout_ms) {
    (void)env;
    (void)type;
    return chimera_device_poll(pointer(handle), pointer(completions), max, timeout_ms);
}

FACE(jint, read)(JNIEnv *env, jclass type, jlong handle, jlong offset, jlong memory, jint bytes) {
    (void)env;
    (void)type;
    return chimera_device_read(pointer(handle), (uint64_t)offset, pointer(memory), (uint32_t)bytes);
}

FACE(void, close)(JNIEnv *env, jclass type, jlong handle) {
    (void)env;
    (void)type;
    chimera_device_close(pointer(handle));
}
