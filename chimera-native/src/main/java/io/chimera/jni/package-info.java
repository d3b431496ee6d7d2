/** The native library and its lookup. */
package io.chimera.jni;
