import type { NewProvider } from '../../../service/contract/index.ts';

/** A service with its address; if `models` is empty, its server lists them. */
type Preset = Required<Pick<NewProvider, 'name' | 'protocol' | 'baseUrl' | 'models'>>;

const openai = (name: string, baseUrl: string, models: string[] = []): Preset => ({
  name,
  protocol: 'openai',
  baseUrl,
  models,
});

/** Common services, without keys. */
export const providerPresets: readonly Preset[] = [
  openai('OpenAI', 'https://api.openai.com/v1'),
  {
    name: 'Anthropic',
    protocol: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    models: [],
  },
  openai('Google Gemini', 'https://generativelanguage.googleapis.com/v1beta/openai', [
    'gemini-2.5-pro',
    'gemini-2.5-flash',
  ]),
  openai('DeepSeek', 'https://api.deepseek.com/v1', ['deepseek-chat', 'deepseek-reasoner']),
  openai('OpenRouter', 'https://openrouter.ai/api/v1'),
  openai('Mistral', 'https://api.mistral.ai/v1', ['mistral-large-latest', 'mistral-small-latest']),
  openai('Groq', 'https://api.groq.com/openai/v1'),
  openai('xAI', 'https://api.x.ai/v1'),
  openai('Moonshot AI', 'https://api.moonshot.cn/v1'),
  openai('Zhipu AI', 'https://open.bigmodel.cn/api/paas/v4', ['glm-4.6', 'glm-4.5-air']),
  openai('SiliconFlow', 'https://api.siliconflow.cn/v1'),
  openai('Alibaba Cloud', 'https://dashscope.aliyuncs.com/compatible-mode/v1', [
    'qwen-max',
    'qwen-plus',
    'qwen-turbo',
  ]),
  { name: 'Ollama', protocol: 'ollama', baseUrl: 'http://127.0.0.1:11434', models: [] },
  openai('LM Studio', 'http://127.0.0.1:1234/v1'),
];
