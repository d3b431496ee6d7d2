/*
 * Translates between CaptureLibrary.java and chimera_capture.h only. Memory owned by Java is passed as an address. No
 * function throws: the functions return the results of the back-ends, and Java converts errors to exceptions.
 */
#include "chimera_capture.h"

#include <errno.h>
#include <jni.h>
#include <stdlib.h>

#define FACE(type, name) JNIEXPORT type JNICALL Java_io_chimera_jni_capture_CaptureLibrary_##name

/* Target of a Java handle. */
struct handle {
    const struct chimera_capture_ops *ops;
    chimera_capture *capture;
};

static void *pointer(jlong address) {
    return (void *)(uintptr_t)address;
}

static struct handle *handle_of(jlong address) {
    return pointer(address);
}

FACE(jint, version)(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
    return CHIMERA_CAPTURE_VERSION;
}

FACE(jlong, backEndName)(JNIEnv *env, jclass type, jint number) {
    (void)env;
    (void)type;
    const struct chimera_capture_ops *ops = chimera_back_end(number);
    return ops == NULL ? 0 : (jlong)(uintptr_t)ops->name;
}

FACE(jboolean, available)(JNIEnv *env, jclass type, jint number, jlong cause, jint capacity) {
    (void)env;
    (void)type;
    return chimera_back_end(number)->available(pointer(cause), (size_t)capacity) != 0;
}

FACE(jlong, open)
(JNIEnv *env, jclass type, jint number, jlong target, jlong filter, jint snap_length, jint ring_bytes, jint queue,
 jint queues, jint flags, jdouble speed, jlong error, jint capacity) {
    (void)env;
    (void)type;
    struct chimera_capture_options options = {
            .target = pointer(target),
            .filter = pointer(filter),
            .snap_length = (uint32_t)snap_length,
            .ring_bytes = (uint32_t)ring_bytes,
            .queue = (uint32_t)queue,
            .queues = (uint32_t)queues,
            .flags = (uint32_t)flags,
            .speed = speed,
    };
    struct handle *handle = malloc(sizeof *handle);
    if (handle == NULL) {
        return chimera_fail(pointer(error), (size_t)capacity, ENOMEM, "no memory for %s", options.target);
    }
    handle->ops = chimera_back_end(number);
    int result = handle->ops->open(&options, &handle->capture, pointer(error), (size_t)capacity);
    if (result < 0) {
        free(handle);
        return result;
    }
    return (jlong)(uintptr_t)handle;
}

FACE(jint, receive)(JNIEnv *env, jclass type, jlong address, jlong packets, jint max, jint timeout_ms) {
    (void)env;
    (void)type;
    struct handle *handle = handle_of(address);
    return handle->ops->receive(handle->capture, pointer(packets), max, timeout_ms);
}

FACE(jint, release)(JNIEnv *env, jclass type, jlong address) {
    (void)env;
    (void)type;
    struct handle *handle = handle_of(address);
    return handle->ops->release(handle->capture);
}

FACE(jint, counters)(JNIEnv *env, jclass type, jlong address, jlong counters) {
    (void)env;
    (void)type;
    struct handle *handle = handle_of(address);
    return handle->ops->counters(handle->capture, pointer(counters));
}

FACE(jint, linkType)(JNIEnv *env, jclass type, jlong address) {
    (void)env;
    (void)type;
    struct handle *handle = handle_of(address);
    return handle->ops->link_type(handle->capture);
}

FACE(jlong, failure)(JNIEnv *env, jclass type, jlong address) {
    (void)env;
    (void)type;
    struct handle *handle = handle_of(address);
    return handle->ops->failure == NULL ? 0 : (jlong)(uintptr_t)handle->ops->failure(handle->capture);
}

FACE(void, close)(JNIEnv *env, jclass type, jlong address) {
    (void)env;
    (void)type;
    struct handle *handle = handle_of(address);
    handle->ops->close(handle->capture);
    free(handle);
}
