/* Translates between TweetLines.java and chimera_scan.h only. */
#include "chimera_scan.h"

#include <jni.h>
#include <stddef.h>

#define FACE(type, name) JNIEXPORT type JNICALL Java_io_chimera_jni_scan_TweetLines_##name

FACE(jboolean, supported)(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
    return chimera_scan_is_supported();
}

FACE(void, scan)
(JNIEnv *env, jclass type, jbyteArray array, jint from, jint limit, jint length_max, jintArray results) {
    (void)type;
    struct chimera_lines found;
    /* Avoids a copy, but blocks the garbage collector: 2 microseconds per 64 KiB. */
    void *bytes = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (bytes == NULL) {
        return; /* a Java exception is pending */
    }
    chimera_scan_tweets(bytes, from, limit, length_max, &found);
    (*env)->ReleasePrimitiveArrayCritical(env, array, bytes, JNI_ABORT);
    const jint values[] = {found.start, found.line_feed, found.passed};
    (*env)->SetIntArrayRegion(env, results, 0, 3, values);
}
