/**
 * Packets from files and interfaces in batches, by native back-ends; a Java back-end reads files without the library.
 */
@NullMarked
package io.chimera.jni.capture;

import org.jspecify.annotations.NullMarked;
