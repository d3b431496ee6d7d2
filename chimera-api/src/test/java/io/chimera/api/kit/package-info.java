/** Contract kits: what every implementation of an interface has to pass. A plugin's tests extend them. */
package io.chimera.api.kit;
