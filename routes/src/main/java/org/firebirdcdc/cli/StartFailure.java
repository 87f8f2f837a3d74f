package org.firebirdcdc.cli;

import java.util.Optional;
import org.apache.camel.FailedToCreateRouteException;
import org.apache.camel.FailedToStartRouteException;
import org.apache.camel.PropertyBindingException;

/** Routes could not be started with the settings at hand. The message says what is wrong in the user's terms. */
final class StartFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final String CAMEL = "org.apache.camel.";

    StartFailure(Exception cause) {
        super(message(cause), cause);
    }

    private static String message(Exception failure) {
        String place = "";
        Throwable reason = failure;
        for (Throwable part = failure; part != null; part = part.getCause()) {
            place = place(part).orElse(place);
            // Camel's exceptions tell where; the first of another kind tells what
            if (reason.getClass().getName().startsWith(CAMEL)) {
                reason = part;
            }
        }
        if (reason instanceof PropertyBindingException unknown) {
            // its own message tells the value, which may be a secret
            return "there is no setting " + name(unknown) + ": check how it is spelt";
        }
        return place + (reason.getMessage() == null ? reason.toString() : reason.getMessage());
    }

    private static Optional<String> place(Throwable part) {
        if (part instanceof PropertyBindingException setting) {
            return Optional.of("setting " + name(setting) + ": ");
        }
        if (part instanceof FailedToStartRouteException route) {
            return Optional.of(place(route.getRouteId(), route.getLocation()));
        }
        if (part instanceof FailedToCreateRouteException route) {
            return Optional.of(place(route.getRouteId(), route.getLocation()));
        }
        return Optional.empty();
    }

    /**
     * @param location file and line, or null: Camel does not tell it of every failure
     */
    private static String place(String routeId, String location) {
        return "route " + routeId + (location == null ? "" : " (" + location + ")") + ": ";
    }

    private static String name(PropertyBindingException setting) {
        return setting.getOptionPrefix() == null
                ? setting.getPropertyName()
                : setting.getOptionPrefix() + setting.getOptionKey();
    }
}
