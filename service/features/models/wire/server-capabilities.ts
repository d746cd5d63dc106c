/** What was found out about a server and a model, so that it is found out once. */
export interface ServerCapabilities {
  /** Not Ollama's API but an OpenAI-compatible one below `/v1`. */
  compatible?: boolean;
  /** No `/v1` in its addresses. */
  atRoot?: boolean;
  /** Takes text alone; guessed where the server did not say why it refused an image. */
  noImages?: boolean | 'guessed';
  noTools?: boolean;
  /** Takes the schemas of tools only in the words that all servers know. */
  plainSchemas?: boolean;
  /** Cannot be told to leave its tools alone. */
  noToolChoice?: boolean;
  /** Does not know how to be asked for the usage. */
  noUsage?: boolean;
  /** Refuses to be told a temperature. */
  noTemperature?: boolean;
  /** How it is asked to think. */
  thinking?: 'adaptive' | 'budget' | 'none';
  /** Longest answer that it may be asked for. */
  maxTokens?: number;
}

const maxServers = 200;

/** Traits by server and model. */
export class CapabilityCache {
  private readonly entries = new Map<string, ServerCapabilities>();

  of(...key: string[]): ServerCapabilities {
    const name = JSON.stringify(key);
    const capabilities = this.entries.get(name) ?? {};
    this.entries.delete(name);
    this.entries.set(name, capabilities);
    const [oldest] = this.entries.keys();
    if (this.entries.size > maxServers && oldest !== undefined) this.entries.delete(oldest);
    return capabilities;
  }
}
