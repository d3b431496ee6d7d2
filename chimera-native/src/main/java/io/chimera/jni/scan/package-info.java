/** Searches of text with the vector instructions of the processor. */
package io.chimera.jni.scan;
