import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers every request with its own params, `die` by ending, and logs each method. */
public final class EchoWorker {
  private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
  private static final Pattern METHOD = Pattern.compile("\"method\":\"([^\"]+)\"");
  private static final String PARAMS = "\"params\":";

  public static void main(String[] arguments) throws Exception {
    System.err.println("heap " + Runtime.getRuntime().maxMemory() / (1024 * 1024));
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      Matcher id = ID.matcher(line);
      Matcher method = METHOD.matcher(line);
      if (!method.find() || !id.find()) continue;
      String name = method.group(1);
      if (name.equals("die")) throw new IllegalStateException("told to die");
      System.out.println(
          "{\"jsonrpc\":\"2.0\",\"method\":\"host.log\",\"params\":{\"level\":\"DEBUG\","
              + "\"logger\":\"EchoWorker\",\"thread\":\"main\",\"message\":\"" + name + "\"}}");
      int start = line.indexOf(PARAMS) + PARAMS.length();
      String params = line.substring(start, line.length() - 1);
      System.out.println(
          "{\"jsonrpc\":\"2.0\",\"id\":" + id.group(1) + ",\"result\":" + params + "}");
    }
  }
}
