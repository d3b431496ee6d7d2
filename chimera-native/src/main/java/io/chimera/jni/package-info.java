/** The native library, and where it is found. */
package io.chimera.jni;
