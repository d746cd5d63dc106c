package host.testing;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Set;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.engine.TestExecutionResult;

/** Runs every JUnit test below a folder of classes; exits with 1 if one fails or there is none. */
public final class RunTests {
    private RunTests() {}

    public static void main(String[] arguments) {
        Launcher launcher = LauncherFactory.create();
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(
                                DiscoverySelectors.selectClasspathRoots(
                                        Set.of(Path.of(arguments[0]))))
                        .build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        launcher.execute(request, summary, new Names());
        PrintWriter out = new PrintWriter(System.out, true);
        summary.getSummary().printFailuresTo(out);
        long passed = summary.getSummary().getTestsSucceededCount();
        long failed = summary.getSummary().getTotalFailureCount();
        out.println("pass " + passed);
        out.println("fail " + failed);
        if (passed + failed == 0) System.err.println("There is no test in the sources.");
        System.exit(failed == 0 && passed > 0 ? 0 : 1);
    }

    private static final class Names implements TestExecutionListener {
        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (!test.isTest()) return;
            boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
            System.out.println((passed ? "ok   " : "FAIL ") + test.getDisplayName());
        }
    }
}
