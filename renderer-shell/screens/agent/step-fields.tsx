import { Autocomplete, MultiSelect, NumberInput, Select, TextInput } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { EditedPlan, EditedStep } from '../../state/agent/plan-edit.ts';
import type { ToolDescription } from '../../../service/contract/index.ts';
import { CodeEditor } from '../../ui/editor/code-editor.tsx';

/** Props of the fields of a step. */
export interface StepFieldsProps {
  index: number;
  step: EditedStep;
  plan: EditedPlan;
  tools: readonly ToolDescription[];
  onChange: (change: Partial<Omit<EditedStep, 'key'>>) => void;
}

/** Edits the changeable fields of a step. */
export function StepFields({ step, plan, tools, index, onChange }: StepFieldsProps) {
  const { t } = useTranslation();
  const tool = tools.find(({ name }) => name === step.tool);
  const others = plan.steps.flatMap(({ key, title, tool: name }, at) =>
    key === step.key ? [] : [{ value: key, label: `${at + 1} · ${title || name}` }],
  );
  return (
    <div className="step-fields">
      <TextInput
        size="xs"
        label={t('agent.plan.field.title')}
        maxLength={500}
        value={step.title}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <Autocomplete
        size="xs"
        label={t('agent.plan.field.tool')}
        description={tool?.description}
        classNames={{ description: 'tool-description untrusted' }}
        inputWrapperOrder={['label', 'input', 'description']}
        data={[...new Set(tools.map(({ name }) => name))]}
        limit={100}
        maxLength={300}
        value={step.tool}
        onChange={(name) => onChange({ tool: name })}
      />
      <div className="wide-field">
        <p className="field-label">{t('agent.plan.field.arguments')}</p>
        <p className="field-text">{t('agent.plan.field.argumentsText')}</p>
        <CodeEditor
          label={t('agent.plan.field.argumentsOf', { index: index + 1 })}
          value={step.arguments}
          onChange={(text) => onChange({ arguments: text })}
          lines={4}
        />
        {tool && <SchemaHint schema={tool.inputSchema} />}
      </div>
      <MultiSelect
        className="wide-field"
        size="xs"
        label={t('agent.plan.field.dependsOn')}
        placeholder={step.dependsOn.length === 0 ? t('agent.plan.field.nothing') : undefined}
        data={others}
        searchable
        value={[...step.dependsOn]}
        onChange={(dependsOn) => onChange({ dependsOn })}
      />
      <AdvancedFields step={step} index={index} onChange={onChange} />
    </div>
  );
}

/** Describes the arguments of a tool: a line for each, and the complete schema on request. */
function SchemaHint({ schema }: { schema: Record<string, unknown> }) {
  const { t } = useTranslation();
  const properties = schema['properties'];
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const names = typeof properties === 'object' && properties !== null ? properties : {};
  return (
    <details className="schema-hint">
      <summary>
        {Object.keys(names).length === 0
          ? t('agent.plan.takesNothing')
          : t('agent.plan.takes', {
              names: Object.keys(names)
                .map((name) => (required.includes(name) ? `${name}*` : name))
                .join(', '),
            })}
      </summary>
      <pre className="call-text untrusted" tabIndex={0}>
        {JSON.stringify(schema, null, 2)}
      </pre>
    </details>
  );
}

type AdvancedFieldsProps = Pick<StepFieldsProps, 'step' | 'index' | 'onChange'>;
type Rest = EditedStep['rest'];

function AdvancedFields({ step, index, onChange }: AdvancedFieldsProps) {
  const { t } = useTranslation();
  const { onFailure, timeoutSeconds } = step.rest;
  const patch = (change: Patch) => onChange({ rest: defined({ ...step.rest, ...change }) });
  return (
    <>
      <Select
        size="xs"
        label={t('agent.plan.field.onFailure')}
        data={[
          { value: 'fail', label: t('agent.plan.field.fail') },
          { value: 'continue', label: t('agent.plan.field.continue') },
        ]}
        allowDeselect={false}
        value={onFailure ?? 'fail'}
        onChange={(value) => patch({ onFailure: value === 'continue' ? 'continue' : undefined })}
      />
      <NumberInput
        size="xs"
        label={t('agent.plan.field.timeout')}
        placeholder="1800"
        min={1}
        max={86_400}
        allowDecimal={false}
        value={timeoutSeconds ?? ''}
        onChange={(value) => patch({ timeoutSeconds: asNumber(value) })}
      />
      <div className="wide-field">
        <p className="field-label">{t('agent.plan.field.forEach')}</p>
        <p className="field-text">
          {t('agent.plan.field.forEachText', { sample: '{{item}}, {{index}}' })}
        </p>
        <CodeEditor
          label={t('agent.plan.field.forEachOf', { index: index + 1 })}
          value={step.forEach}
          onChange={(forEach) => onChange({ forEach })}
          lines={1}
        />
      </div>
      <RetryFields retry={step.rest.retry} onChange={(retry) => patch({ retry })} />
      <div className="wide-field">
        <p className="field-label">{t('agent.plan.field.when')}</p>
        <p className="field-text">{t('agent.plan.field.whenText')}</p>
        <CodeEditor
          label={t('agent.plan.field.whenOf', { index: index + 1 })}
          value={step.when}
          onChange={(when) => onChange({ when })}
          lines={2}
        />
      </div>
    </>
  );
}

interface RetryFieldsProps {
  retry: Rest['retry'];
  onChange: (retry: Rest['retry']) => void;
}

function RetryFields({ retry, onChange }: RetryFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <NumberInput
        size="xs"
        label={t('agent.plan.field.attempts')}
        placeholder="1"
        min={1}
        max={20}
        allowDecimal={false}
        value={retry?.maxAttempts ?? ''}
        onChange={(value) => {
          const maxAttempts = asNumber(value);
          onChange(
            maxAttempts === undefined ? undefined : { delaySeconds: 0, ...retry, maxAttempts },
          );
        }}
      />
      <NumberInput
        size="xs"
        label={t('agent.plan.field.delay')}
        placeholder="0"
        min={0}
        max={3_600}
        disabled={retry === undefined}
        value={retry?.delaySeconds ?? ''}
        onChange={(value) => retry && onChange({ ...retry, delaySeconds: asNumber(value) ?? 0 })}
      />
    </>
  );
}

type Patch = { [K in keyof Rest]?: Rest[K] | undefined };

const asNumber = (value: string | number): number | undefined =>
  typeof value === 'number' ? value : undefined;

const defined = (rest: Patch): Rest =>
  Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
