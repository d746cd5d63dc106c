/** Capabilities of a server and a model, detected once from its errors. */
export interface ServerCapabilities {
  /** It has no Ollama API but an OpenAI-compatible one below `/v1`. */
  compatible?: boolean;
  /** Its addresses have no `/v1`. */
  atRoot?: boolean;
  /** It accepts only text; `guessed` if the server did not say why it refused an image. */
  noImages?: boolean | 'guessed';
  noTools?: boolean;
  /** It accepts only plain schemas of tools; see `plainSchema`. */
  plainSchemas?: boolean;
  /** It does not support `tool_choice: none`. */
  noToolChoice?: boolean;
  /** It does not support `stream_options.include_usage`. */
  noUsage?: boolean;
  /** It does not support `temperature`. */
  noTemperature?: boolean;
  /** The supported form of thinking. */
  thinking?: 'adaptive' | 'budget' | 'none';
  /** Maximum of `max_tokens`. */
  maxTokens?: number;
}

const maxServers = 200;

/** Capabilities by server and model. */
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
