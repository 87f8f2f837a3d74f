/** Delivery as a whole: the runnable jar in processes of its own, a real broker, and everything that can go wrong. */
package org.firebirdcdc.delivery;
