/** Block devices for the archive: raw devices, partitions and preallocated files, by io_uring or by the JDK. */
@NullMarked
package io.chimera.jni.stream;

import org.jspecify.annotations.NullMarked;
