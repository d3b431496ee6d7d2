/** Who was behind an attack, found in archives of packets (Hyperion 2007, 7.5): the seven questions, and attacks to practise on. */
package io.chimera.apps.forensics;
