/**
 * Packets from files and interfaces in batches, by native back-ends; a Java back-end reads files without the library.
 */
package io.chimera.jni.capture;
