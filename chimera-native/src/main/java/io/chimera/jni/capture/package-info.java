/** Packets from files and interfaces in batches, by native back-ends; files by a back-end in Java where there is no library. */
package io.chimera.jni.capture;
