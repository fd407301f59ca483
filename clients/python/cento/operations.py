"""The methods of clients.

Made of the OpenAPI document of the service by `go test ./clients -update`.
"""

from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Sequence, Type, TypeVar, Union

from . import answers
from .value import Value

V = TypeVar("V", bound=Value)

# Operations about a project, and those that a service answers about its own.
PROJECT_OPERATIONS = frozenset(["ablate", "assemble", "budget", "cache", "check", "diff", "explain", "instructions", "models", "session", "why", "wire"])
SERVED_OPERATIONS = frozenset(["ablate", "assemble", "budget", "cache", "check", "diff", "explain", "instructions", "models", "why", "wire"])


class Operations:
    def _ask(self, op: str, request: Dict[str, Any], answer: Type[V]) -> V:
        raise NotImplementedError

    def ablate(
        self,
        *,
        budget: Optional[Union[int, str]] = None,
        by: Optional[str] = None,
        caps: Optional[Sequence[str]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.AblationAnswer:
        """What each part of a prompt is worth: its tokens, and what goes and comes with it.

        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        by: What is taken out at a time: fragment (the default), section, source, group, layer or tool.
        caps: Capabilities that are set as well.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return self._ask(
            "ablate",
            {
                "budget": budget,
                "by": by,
                "caps": caps,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "model": model,
                "now": now,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.AblationAnswer,
        )

    def assemble(
        self,
        *,
        budget: Optional[Union[int, str]] = None,
        caps: Optional[Sequence[str]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tokens: Optional[bool] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.Assembled:
        """The prompt of a project, on disk or handed over.

        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        caps: Capabilities that are set as well.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tokens: Whether to count tokens; default false, since a prompt is used more often than it is measured.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return self._ask(
            "assemble",
            {
                "budget": budget,
                "caps": caps,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "model": model,
                "now": now,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "tokens": tokens,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.Assembled,
        )

    def budget(
        self,
        *,
        budget: Optional[Union[int, str]] = None,
        caps: Optional[Sequence[str]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.Budgeted:
        """What a budget of tokens leaves of a prompt, and in which order it takes.

        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        caps: Capabilities that are set as well.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return self._ask(
            "budget",
            {
                "budget": budget,
                "caps": caps,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "model": model,
                "now": now,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.Budgeted,
        )

    def cache(
        self,
        *,
        to: Mapping[str, Any],
        budget: Optional[Union[int, str]] = None,
        caps: Optional[Sequence[str]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        messages: Optional[Sequence[Mapping[str, Any]]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        provider: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.Cached:
        """What a change costs in the prompt cache, and what it breaks.

        to: What is different in the second request: each key stands instead of the one beside it, and the others hold for both.
        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        caps: Capabilities that are set as well.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        messages: The conversation of both, oldest first; without it tools and system prompts are set beside each other.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        provider: Name of the form of both requests, such as anthropic; default that of the manifest, else the model's.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return self._ask(
            "cache",
            {
                "budget": budget,
                "caps": caps,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "messages": messages,
                "model": model,
                "now": now,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "provider": provider,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "to": to,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.Cached,
        )

    def check(
        self,
        *,
        files: Optional[Mapping[str, str]] = None,
        manifest: Optional[Mapping[str, Any]] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        project: Optional[str] = None,
        root: Optional[str] = None,
        strict: Optional[bool] = None,
        target: Optional[str] = None,
    ) -> answers.CheckAnswer:
        """What is doubtful about the prompts of a project.

        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        project: Folder of a project, from the folder of the run.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        strict: Say no to warnings too; default false.
        target: A target of the manifest, alone instead of all.
        """
        return self._ask(
            "check",
            {
                "files": files,
                "manifest": manifest,
                "now": now,
                "prefixes": prefixes,
                "project": project,
                "root": root,
                "strict": strict,
                "target": target,
            },
            answers.CheckAnswer,
        )

    def contract(
        self,
        *,
        answer: Optional[str] = None,
        contract: Any = None,
        exact: Optional[bool] = None,
        form: Optional[str] = None,
        keys: Optional[Sequence[str]] = None,
        roles: Optional[Sequence[str]] = None,
        shape: Optional[bool] = None,
        text: Optional[str] = None,
    ) -> answers.ContractAnswer:
        """Write a contract in a form, or read one.

        answer: What a model answered, to be held against the contract.
        contract: A contract to write.
        exact: In edn, write an objective with spaces as a string; default false.
        form: What to write, or what the text is in; default lines.
        keys: Keys that are allowed in the text besides the built-in ones.
        roles: Roles that are allowed in the text besides the built-in ones.
        shape: Give the text that tells a model how to answer the contract; default false.
        text: A text to read as a contract.
        """
        return self._ask(
            "contract",
            {
                "answer": answer,
                "contract": contract,
                "exact": exact,
                "form": form,
                "keys": keys,
                "roles": roles,
                "shape": shape,
                "text": text,
            },
            answers.ContractAnswer,
        )

    def diff(
        self,
        *,
        to: Mapping[str, Any],
        budget: Optional[Union[int, str]] = None,
        caps: Optional[Sequence[str]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.Compared:
        """What is different between two prompts of a project.

        to: What is different on the other side: each key stands instead of the one beside it, and the others hold for both.
        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        caps: Capabilities that are set as well.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return self._ask(
            "diff",
            {
                "budget": budget,
                "caps": caps,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "model": model,
                "now": now,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "to": to,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.Compared,
        )

    def explain(
        self,
        *,
        all_reasons: Optional[bool] = None,
        budget: Optional[Union[int, str]] = None,
        caps: Optional[Sequence[str]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tokens: Optional[bool] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.Explanation:
        """What is in the prompt of a project, and why.

        all_reasons: Tell every condition that fails, not the first alone; default false.
        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        caps: Capabilities that are set as well.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tokens: Whether to count tokens; default true.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return self._ask(
            "explain",
            {
                "all_reasons": all_reasons,
                "budget": budget,
                "caps": caps,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "model": model,
                "now": now,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "tokens": tokens,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.Explanation,
        )

    def instructions(
        self,
        *,
        cwd: Optional[str] = None,
        files: Optional[Mapping[str, str]] = None,
        for_: Optional[Sequence[str]] = None,
        manifest: Optional[Mapping[str, Any]] = None,
        model: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        profile: Optional[str] = None,
        project: Optional[str] = None,
        root: Optional[str] = None,
        target: Optional[str] = None,
    ) -> answers.InstructionsReport:
        """Which instruction files are loaded, by whose rules.

        cwd: Folder of the run, from that of the project; default the same.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        for_: Files that are worked on, from the folder of the run: what holds for them is listed.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        model: Name of the model that tokens are counted for.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        profile: Name of the loading rules; default those of the manifest.
        project: Folder of a project, from the folder of the run.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        target: A target of the manifest.
        """
        return self._ask(
            "instructions",
            {
                "cwd": cwd,
                "files": files,
                "for": for_,
                "manifest": manifest,
                "model": model,
                "prefixes": prefixes,
                "profile": profile,
                "project": project,
                "root": root,
                "target": target,
            },
            answers.InstructionsReport,
        )

    def layers(
        self,
        *,
        layers: Sequence[Mapping[str, Any]],
        context: Optional[Mapping[str, Any]] = None,
        merge: Optional[bool] = None,
    ) -> answers.LayersAnswer:
        """The prompt of layers that are handed over, and what each does.

        layers: The layers, low to high.
        context: What the prompt is for.
        merge: Order contributions of one slot and priority by title and content, and take duplicates out.
        """
        return self._ask(
            "layers",
            {
                "context": context,
                "layers": layers,
                "merge": merge,
            },
            answers.LayersAnswer,
        )

    def models(
        self,
        *,
        files: Optional[Mapping[str, str]] = None,
        manifest: Optional[Mapping[str, Any]] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        project: Optional[str] = None,
        query: Optional[str] = None,
        root: Optional[str] = None,
    ) -> answers.Models:
        """The language models that are known, with prices and prompt caches.

        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        project: Folder of a project, from the folder of the run.
        query: Part of a name, provider or family, or a name as a provider gives it; default all.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        """
        return self._ask(
            "models",
            {
                "files": files,
                "manifest": manifest,
                "prefixes": prefixes,
                "project": project,
                "query": query,
                "root": root,
            },
            answers.Models,
        )

    def reduce(
        self,
        *,
        fragments: Sequence[Mapping[str, Any]],
        budget: Optional[Mapping[str, Any]] = None,
        caps: Optional[Sequence[str]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        tokens: Optional[bool] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
    ) -> answers.Explanation:
        """One prompt of fragments, and why each is in or out.

        fragments: The fragments, in declaration order.
        budget: How many tokens a request may take. Fragments with an importance are shortened and left out, the least important first, until the prompt fits.
        caps: The capabilities that are set.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone.
        tokens: Whether to count tokens; default true. Counting takes longer than everything else.
        tools: The active tools: names or definitions, which may be mixed.
        vars: Variables for conditions.
        """
        return self._ask(
            "reduce",
            {
                "budget": budget,
                "caps": caps,
                "fragments": fragments,
                "model": model,
                "now": now,
                "tokens": tokens,
                "tools": tools,
                "vars": vars,
            },
            answers.Explanation,
        )

    def reminders(
        self,
        *,
        session: Mapping[str, Any],
        caps: Optional[Sequence[str]] = None,
        ops: Optional[Sequence[Any]] = None,
        placement: Optional[str] = None,
    ) -> answers.RemindersAnswer:
        """What operations make of the reminders of a session.

        caps: The capabilities that are set; those of the model decide the default placement and the native form.
        ops: What is done, in order.
        placement: Where the reminders of a turn go; default turn for a model with a prompt cache, else system.
        """
        return self._ask(
            "reminders",
            {
                "caps": caps,
                "ops": ops,
                "placement": placement,
                "session": session,
            },
            answers.RemindersAnswer,
        )

    def render(
        self,
        *,
        root: str,
        agent: Optional[str] = None,
        caps: Optional[Sequence[str]] = None,
        cwd: Optional[str] = None,
        files: Optional[Mapping[str, str]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
    ) -> answers.Rendering:
        """The text of a prompt file, and where each stretch came from.

        root: Reference to the file to render.
        agent: Who the agent is told to be, read as agent.name; default an AI coding assistant.
        caps: The capabilities that are set.
        cwd: The working folder, read as cwd. Without it, reading it is an error.
        files: Texts of prompt files by reference, such as $workspace/review.
        model: Name of the model. Without it, reading it is an error.
        now: The clock, as in RFC 3339; its offset is the time zone.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        tools: The active tools: names or definitions, which may be mixed.
        vars: Variables, read as vars.<name>.
        """
        return self._ask(
            "render",
            {
                "agent": agent,
                "caps": caps,
                "cwd": cwd,
                "files": files,
                "model": model,
                "now": now,
                "prefixes": prefixes,
                "root": root,
                "tools": tools,
                "vars": vars,
            },
            answers.Rendering,
        )

    def scope(
        self,
        *,
        paths: Sequence[str],
        scope: Mapping[str, Any],
        base: Optional[str] = None,
    ) -> answers.ScopeAnswer:
        """What is permitted at paths, and the rules that decide it.

        paths: The paths to ask about.
        base: Absolute folder of relative targets and paths.
        """
        return self._ask(
            "scope",
            {
                "base": base,
                "paths": paths,
                "scope": scope,
            },
            answers.ScopeAnswer,
        )

    def tokens(
        self,
        *,
        texts: Sequence[str],
        encoding: Optional[str] = None,
        model: Optional[str] = None,
    ) -> answers.Counts:
        """How many tokens texts have.

        texts: The texts, each counted by itself.
        encoding: Name of the encoding that counts, instead of a model's.
        model: Name of the model whose encoding counts.
        """
        return self._ask(
            "tokens",
            {
                "encoding": encoding,
                "model": model,
                "texts": texts,
            },
            answers.Counts,
        )

    def why(
        self,
        *,
        text: str,
        as_: Optional[str] = None,
        budget: Optional[Union[int, str]] = None,
        caps: Optional[Sequence[str]] = None,
        extra: Optional[Mapping[str, Any]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        max_tokens: Optional[int] = None,
        messages: Optional[Sequence[Mapping[str, Any]]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        partial: Optional[bool] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        provider: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.Why:
        """Where a text of a prompt comes from, or why it isn't there.

        text: The id of a fragment; FILE, FILE:LINE or FILE:LINE:COLUMN; or else a text to look for, in which white space is folded.
        as_: How text is read: id, at (a file) or text; default the first of them that fits.
        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        caps: Capabilities that are set as well.
        extra: Further top-level members of the request, as the provider documents them, such as stream or tool_choice. They go over those of the manifest.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        max_tokens: Most tokens of the answer; default that of the manifest.
        messages: The conversation, oldest first.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        partial: Leave the conversation out; default false.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        provider: Name of the form of the request, such as anthropic; default that of the manifest, else the model's.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return self._ask(
            "why",
            {
                "as": as_,
                "budget": budget,
                "caps": caps,
                "extra": extra,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "max_tokens": max_tokens,
                "messages": messages,
                "model": model,
                "now": now,
                "partial": partial,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "provider": provider,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "text": text,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.Why,
        )

    def wire(
        self,
        *,
        budget: Optional[Union[int, str]] = None,
        caps: Optional[Sequence[str]] = None,
        extra: Optional[Mapping[str, Any]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        max_tokens: Optional[int] = None,
        messages: Optional[Sequence[Mapping[str, Any]]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        partial: Optional[bool] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        provider: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.WireBody:
        """The prompt of a project as the request of a provider.

        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        caps: Capabilities that are set as well.
        extra: Further top-level members of the request, as the provider documents them, such as stream or tool_choice. They go over those of the manifest.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        max_tokens: Most tokens of the answer; default that of the manifest.
        messages: The conversation, oldest first.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        partial: Leave the conversation out; default false.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        provider: Name of the form of the request, such as anthropic; default that of the manifest, else the model's.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return self._ask(
            "wire",
            {
                "budget": budget,
                "caps": caps,
                "extra": extra,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "max_tokens": max_tokens,
                "messages": messages,
                "model": model,
                "now": now,
                "partial": partial,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "provider": provider,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.WireBody,
        )


class AsyncOperations:
    async def _ask(self, op: str, request: Dict[str, Any], answer: Type[V]) -> V:
        raise NotImplementedError

    async def ablate(
        self,
        *,
        budget: Optional[Union[int, str]] = None,
        by: Optional[str] = None,
        caps: Optional[Sequence[str]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.AblationAnswer:
        """What each part of a prompt is worth: its tokens, and what goes and comes with it.

        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        by: What is taken out at a time: fragment (the default), section, source, group, layer or tool.
        caps: Capabilities that are set as well.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return await self._ask(
            "ablate",
            {
                "budget": budget,
                "by": by,
                "caps": caps,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "model": model,
                "now": now,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.AblationAnswer,
        )

    async def assemble(
        self,
        *,
        budget: Optional[Union[int, str]] = None,
        caps: Optional[Sequence[str]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tokens: Optional[bool] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.Assembled:
        """The prompt of a project, on disk or handed over.

        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        caps: Capabilities that are set as well.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tokens: Whether to count tokens; default false, since a prompt is used more often than it is measured.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return await self._ask(
            "assemble",
            {
                "budget": budget,
                "caps": caps,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "model": model,
                "now": now,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "tokens": tokens,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.Assembled,
        )

    async def budget(
        self,
        *,
        budget: Optional[Union[int, str]] = None,
        caps: Optional[Sequence[str]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.Budgeted:
        """What a budget of tokens leaves of a prompt, and in which order it takes.

        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        caps: Capabilities that are set as well.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return await self._ask(
            "budget",
            {
                "budget": budget,
                "caps": caps,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "model": model,
                "now": now,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.Budgeted,
        )

    async def cache(
        self,
        *,
        to: Mapping[str, Any],
        budget: Optional[Union[int, str]] = None,
        caps: Optional[Sequence[str]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        messages: Optional[Sequence[Mapping[str, Any]]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        provider: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.Cached:
        """What a change costs in the prompt cache, and what it breaks.

        to: What is different in the second request: each key stands instead of the one beside it, and the others hold for both.
        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        caps: Capabilities that are set as well.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        messages: The conversation of both, oldest first; without it tools and system prompts are set beside each other.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        provider: Name of the form of both requests, such as anthropic; default that of the manifest, else the model's.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return await self._ask(
            "cache",
            {
                "budget": budget,
                "caps": caps,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "messages": messages,
                "model": model,
                "now": now,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "provider": provider,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "to": to,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.Cached,
        )

    async def check(
        self,
        *,
        files: Optional[Mapping[str, str]] = None,
        manifest: Optional[Mapping[str, Any]] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        project: Optional[str] = None,
        root: Optional[str] = None,
        strict: Optional[bool] = None,
        target: Optional[str] = None,
    ) -> answers.CheckAnswer:
        """What is doubtful about the prompts of a project.

        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        project: Folder of a project, from the folder of the run.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        strict: Say no to warnings too; default false.
        target: A target of the manifest, alone instead of all.
        """
        return await self._ask(
            "check",
            {
                "files": files,
                "manifest": manifest,
                "now": now,
                "prefixes": prefixes,
                "project": project,
                "root": root,
                "strict": strict,
                "target": target,
            },
            answers.CheckAnswer,
        )

    async def contract(
        self,
        *,
        answer: Optional[str] = None,
        contract: Any = None,
        exact: Optional[bool] = None,
        form: Optional[str] = None,
        keys: Optional[Sequence[str]] = None,
        roles: Optional[Sequence[str]] = None,
        shape: Optional[bool] = None,
        text: Optional[str] = None,
    ) -> answers.ContractAnswer:
        """Write a contract in a form, or read one.

        answer: What a model answered, to be held against the contract.
        contract: A contract to write.
        exact: In edn, write an objective with spaces as a string; default false.
        form: What to write, or what the text is in; default lines.
        keys: Keys that are allowed in the text besides the built-in ones.
        roles: Roles that are allowed in the text besides the built-in ones.
        shape: Give the text that tells a model how to answer the contract; default false.
        text: A text to read as a contract.
        """
        return await self._ask(
            "contract",
            {
                "answer": answer,
                "contract": contract,
                "exact": exact,
                "form": form,
                "keys": keys,
                "roles": roles,
                "shape": shape,
                "text": text,
            },
            answers.ContractAnswer,
        )

    async def diff(
        self,
        *,
        to: Mapping[str, Any],
        budget: Optional[Union[int, str]] = None,
        caps: Optional[Sequence[str]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.Compared:
        """What is different between two prompts of a project.

        to: What is different on the other side: each key stands instead of the one beside it, and the others hold for both.
        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        caps: Capabilities that are set as well.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return await self._ask(
            "diff",
            {
                "budget": budget,
                "caps": caps,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "model": model,
                "now": now,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "to": to,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.Compared,
        )

    async def explain(
        self,
        *,
        all_reasons: Optional[bool] = None,
        budget: Optional[Union[int, str]] = None,
        caps: Optional[Sequence[str]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tokens: Optional[bool] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.Explanation:
        """What is in the prompt of a project, and why.

        all_reasons: Tell every condition that fails, not the first alone; default false.
        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        caps: Capabilities that are set as well.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tokens: Whether to count tokens; default true.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return await self._ask(
            "explain",
            {
                "all_reasons": all_reasons,
                "budget": budget,
                "caps": caps,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "model": model,
                "now": now,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "tokens": tokens,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.Explanation,
        )

    async def instructions(
        self,
        *,
        cwd: Optional[str] = None,
        files: Optional[Mapping[str, str]] = None,
        for_: Optional[Sequence[str]] = None,
        manifest: Optional[Mapping[str, Any]] = None,
        model: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        profile: Optional[str] = None,
        project: Optional[str] = None,
        root: Optional[str] = None,
        target: Optional[str] = None,
    ) -> answers.InstructionsReport:
        """Which instruction files are loaded, by whose rules.

        cwd: Folder of the run, from that of the project; default the same.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        for_: Files that are worked on, from the folder of the run: what holds for them is listed.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        model: Name of the model that tokens are counted for.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        profile: Name of the loading rules; default those of the manifest.
        project: Folder of a project, from the folder of the run.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        target: A target of the manifest.
        """
        return await self._ask(
            "instructions",
            {
                "cwd": cwd,
                "files": files,
                "for": for_,
                "manifest": manifest,
                "model": model,
                "prefixes": prefixes,
                "profile": profile,
                "project": project,
                "root": root,
                "target": target,
            },
            answers.InstructionsReport,
        )

    async def layers(
        self,
        *,
        layers: Sequence[Mapping[str, Any]],
        context: Optional[Mapping[str, Any]] = None,
        merge: Optional[bool] = None,
    ) -> answers.LayersAnswer:
        """The prompt of layers that are handed over, and what each does.

        layers: The layers, low to high.
        context: What the prompt is for.
        merge: Order contributions of one slot and priority by title and content, and take duplicates out.
        """
        return await self._ask(
            "layers",
            {
                "context": context,
                "layers": layers,
                "merge": merge,
            },
            answers.LayersAnswer,
        )

    async def models(
        self,
        *,
        files: Optional[Mapping[str, str]] = None,
        manifest: Optional[Mapping[str, Any]] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        project: Optional[str] = None,
        query: Optional[str] = None,
        root: Optional[str] = None,
    ) -> answers.Models:
        """The language models that are known, with prices and prompt caches.

        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        project: Folder of a project, from the folder of the run.
        query: Part of a name, provider or family, or a name as a provider gives it; default all.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        """
        return await self._ask(
            "models",
            {
                "files": files,
                "manifest": manifest,
                "prefixes": prefixes,
                "project": project,
                "query": query,
                "root": root,
            },
            answers.Models,
        )

    async def reduce(
        self,
        *,
        fragments: Sequence[Mapping[str, Any]],
        budget: Optional[Mapping[str, Any]] = None,
        caps: Optional[Sequence[str]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        tokens: Optional[bool] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
    ) -> answers.Explanation:
        """One prompt of fragments, and why each is in or out.

        fragments: The fragments, in declaration order.
        budget: How many tokens a request may take. Fragments with an importance are shortened and left out, the least important first, until the prompt fits.
        caps: The capabilities that are set.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone.
        tokens: Whether to count tokens; default true. Counting takes longer than everything else.
        tools: The active tools: names or definitions, which may be mixed.
        vars: Variables for conditions.
        """
        return await self._ask(
            "reduce",
            {
                "budget": budget,
                "caps": caps,
                "fragments": fragments,
                "model": model,
                "now": now,
                "tokens": tokens,
                "tools": tools,
                "vars": vars,
            },
            answers.Explanation,
        )

    async def reminders(
        self,
        *,
        session: Mapping[str, Any],
        caps: Optional[Sequence[str]] = None,
        ops: Optional[Sequence[Any]] = None,
        placement: Optional[str] = None,
    ) -> answers.RemindersAnswer:
        """What operations make of the reminders of a session.

        caps: The capabilities that are set; those of the model decide the default placement and the native form.
        ops: What is done, in order.
        placement: Where the reminders of a turn go; default turn for a model with a prompt cache, else system.
        """
        return await self._ask(
            "reminders",
            {
                "caps": caps,
                "ops": ops,
                "placement": placement,
                "session": session,
            },
            answers.RemindersAnswer,
        )

    async def render(
        self,
        *,
        root: str,
        agent: Optional[str] = None,
        caps: Optional[Sequence[str]] = None,
        cwd: Optional[str] = None,
        files: Optional[Mapping[str, str]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
    ) -> answers.Rendering:
        """The text of a prompt file, and where each stretch came from.

        root: Reference to the file to render.
        agent: Who the agent is told to be, read as agent.name; default an AI coding assistant.
        caps: The capabilities that are set.
        cwd: The working folder, read as cwd. Without it, reading it is an error.
        files: Texts of prompt files by reference, such as $workspace/review.
        model: Name of the model. Without it, reading it is an error.
        now: The clock, as in RFC 3339; its offset is the time zone.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        tools: The active tools: names or definitions, which may be mixed.
        vars: Variables, read as vars.<name>.
        """
        return await self._ask(
            "render",
            {
                "agent": agent,
                "caps": caps,
                "cwd": cwd,
                "files": files,
                "model": model,
                "now": now,
                "prefixes": prefixes,
                "root": root,
                "tools": tools,
                "vars": vars,
            },
            answers.Rendering,
        )

    async def scope(
        self,
        *,
        paths: Sequence[str],
        scope: Mapping[str, Any],
        base: Optional[str] = None,
    ) -> answers.ScopeAnswer:
        """What is permitted at paths, and the rules that decide it.

        paths: The paths to ask about.
        base: Absolute folder of relative targets and paths.
        """
        return await self._ask(
            "scope",
            {
                "base": base,
                "paths": paths,
                "scope": scope,
            },
            answers.ScopeAnswer,
        )

    async def tokens(
        self,
        *,
        texts: Sequence[str],
        encoding: Optional[str] = None,
        model: Optional[str] = None,
    ) -> answers.Counts:
        """How many tokens texts have.

        texts: The texts, each counted by itself.
        encoding: Name of the encoding that counts, instead of a model's.
        model: Name of the model whose encoding counts.
        """
        return await self._ask(
            "tokens",
            {
                "encoding": encoding,
                "model": model,
                "texts": texts,
            },
            answers.Counts,
        )

    async def why(
        self,
        *,
        text: str,
        as_: Optional[str] = None,
        budget: Optional[Union[int, str]] = None,
        caps: Optional[Sequence[str]] = None,
        extra: Optional[Mapping[str, Any]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        max_tokens: Optional[int] = None,
        messages: Optional[Sequence[Mapping[str, Any]]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        partial: Optional[bool] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        provider: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.Why:
        """Where a text of a prompt comes from, or why it isn't there.

        text: The id of a fragment; FILE, FILE:LINE or FILE:LINE:COLUMN; or else a text to look for, in which white space is folded.
        as_: How text is read: id, at (a file) or text; default the first of them that fits.
        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        caps: Capabilities that are set as well.
        extra: Further top-level members of the request, as the provider documents them, such as stream or tool_choice. They go over those of the manifest.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        max_tokens: Most tokens of the answer; default that of the manifest.
        messages: The conversation, oldest first.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        partial: Leave the conversation out; default false.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        provider: Name of the form of the request, such as anthropic; default that of the manifest, else the model's.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return await self._ask(
            "why",
            {
                "as": as_,
                "budget": budget,
                "caps": caps,
                "extra": extra,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "max_tokens": max_tokens,
                "messages": messages,
                "model": model,
                "now": now,
                "partial": partial,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "provider": provider,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "text": text,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.Why,
        )

    async def wire(
        self,
        *,
        budget: Optional[Union[int, str]] = None,
        caps: Optional[Sequence[str]] = None,
        extra: Optional[Mapping[str, Any]] = None,
        files: Optional[Mapping[str, str]] = None,
        fragments: Optional[Sequence[Any]] = None,
        input: Any = None,
        manifest: Optional[Mapping[str, Any]] = None,
        max_tokens: Optional[int] = None,
        messages: Optional[Sequence[Mapping[str, Any]]] = None,
        model: Optional[str] = None,
        now: Optional[str] = None,
        partial: Optional[bool] = None,
        prefixes: Optional[Mapping[str, Mapping[str, Any]]] = None,
        primary: Optional[Mapping[str, Any]] = None,
        profile: Optional[Mapping[str, Any]] = None,
        project: Optional[str] = None,
        provider: Optional[str] = None,
        root: Optional[str] = None,
        skills: Optional[Sequence[str]] = None,
        system: Optional[str] = None,
        system_appendix: Any = None,
        system_context: Any = None,
        system_preamble: Any = None,
        system_prefix: Any = None,
        system_prompt_parts: Any = None,
        system_suffix: Any = None,
        target: Optional[str] = None,
        tools: Any = None,
        vars: Optional[Mapping[str, Any]] = None,
        without_caps: Optional[Sequence[str]] = None,
        without_tools: Optional[Sequence[str]] = None,
    ) -> answers.WireBody:
        """The prompt of a project as the request of a provider.

        budget: How many tokens the request may take, or a part of what the model takes in such as 20%, instead of the manifest's; its reserve, hold and policy stay.
        caps: Capabilities that are set as well.
        extra: Further top-level members of the request, as the provider documents them, such as stream or tool_choice. They go over those of the manifest.
        files: The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's.
        fragments: Further fragments, behind those of the project, in the order of the prompt.
        input: A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record.
        manifest: A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request.
        max_tokens: Most tokens of the answer; default that of the manifest.
        messages: The conversation, oldest first.
        model: Name of the model.
        now: The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other.
        partial: Leave the conversation out; default false.
        prefixes: Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in.
        primary: The agent's own block.
        profile: A project profile that stands instead of the project's own, as cento profile --json prints it.
        project: Folder of a project, from the folder of the run.
        provider: Name of the form of the request, such as anthropic; default that of the manifest, else the model's.
        root: Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets.
        skills: The active skills, instead of those of the manifest.
        system: The agent's main text, instead of the project's.
        system_appendix: Behind the agent's own block.
        system_context: Behind system_prefix.
        system_preamble: First of all texts.
        system_prefix: Behind system_preamble.
        system_prompt_parts: Behind system_context, most often a list.
        system_suffix: Behind system_appendix.
        target: A target of the manifest.
        tools: The active tools by their names, instead of all that are defined; or definitions, instead of those of the manifest.
        vars: Variables for prompt files and conditions, over those of the manifest.
        without_caps: Capabilities that are not set.
        without_tools: Tools that are not active.
        """
        return await self._ask(
            "wire",
            {
                "budget": budget,
                "caps": caps,
                "extra": extra,
                "files": files,
                "fragments": fragments,
                "input": input,
                "manifest": manifest,
                "max_tokens": max_tokens,
                "messages": messages,
                "model": model,
                "now": now,
                "partial": partial,
                "prefixes": prefixes,
                "primary": primary,
                "profile": profile,
                "project": project,
                "provider": provider,
                "root": root,
                "skills": skills,
                "system": system,
                "system_appendix": system_appendix,
                "system_context": system_context,
                "system_preamble": system_preamble,
                "system_prefix": system_prefix,
                "system_prompt_parts": system_prompt_parts,
                "system_suffix": system_suffix,
                "target": target,
                "tools": tools,
                "vars": vars,
                "without_caps": without_caps,
                "without_tools": without_tools,
            },
            answers.WireBody,
        )


class Projects:
    """The projects of a service."""

    def __init__(self, route: Callable[..., Any], project: Optional[str]) -> None:
        self._route = route
        self._project = project

    def show(
        self,
        *,
        project: Optional[str] = None,
    ) -> answers.ProjectAnswer:
        """One project.

        project: Name of the project; default the client's.
        """
        return answers.ProjectAnswer(self._route("GET", "/v1/projects/{project}", {"project": self._project if project is None else project}, None, {}, {}))

    def test(
        self,
        *,
        allow_none: Optional[bool] = None,
        coverage: Optional[bool] = None,
        coverage_min: Optional[float] = None,
        fail_fast: Optional[bool] = None,
        mutate: Optional[bool] = None,
        mutate_min: Optional[float] = None,
        run: Optional[str] = None,
        target: Optional[str] = None,
        project: Optional[str] = None,
    ) -> answers.TestAnswer:
        """Run the tests of a project's prompts; nothing is written.

        project: Name of the project; default the client's.
        """
        return answers.TestAnswer(self._route("POST", "/v1/projects/{project}/test", {"project": self._project if project is None else project}, {"allow_none": allow_none, "coverage": coverage, "coverage_min": coverage_min, "fail_fast": fail_fast, "mutate": mutate, "mutate_min": mutate_min, "run": run, "target": target}, {}, {}))

    def list(
        self,
    ) -> answers.ProjectsAnswer:
        """The projects that the token reaches.
        """
        return answers.ProjectsAnswer(self._route("GET", "/v1/projects", {}, None, {}, {}))


class Records:
    """What a service has recorded."""

    def __init__(self, route: Callable[..., Any], project: Optional[str]) -> None:
        self._route = route
        self._project = project

    def export(
        self,
        *,
        session: Union[str, int, None] = None,
    ) -> Optional[str]:
        """Sessions and records as JSON lines, as cento log import reads them.

        session: this session alone
        """
        text: Optional[str] = self._route("GET", "/v1/export", {}, None, {"session": session}, {})
        return text

    def show(
        self,
        record: str,
    ) -> answers.ShownRecord:
        """A record, by its hash or as SESSION@NUMBER.
        """
        return answers.ShownRecord(self._route("GET", "/v1/records/{record}", {"record": record}, None, {}, {}))

    def replay(
        self,
        record: str,
    ) -> answers.Replay:
        """Make the prompt of a record again, of nothing but its input.
        """
        return answers.Replay(self._route("GET", "/v1/records/{record}/replay", {"record": record}, None, {}, {}))

    def list(
        self,
        *,
        session: Union[str, int, None] = None,
        text: Union[str, int, None] = None,
        since: Union[str, int, None] = None,
        until: Union[str, int, None] = None,
        limit: Union[str, int, None] = None,
        cursor: Union[str, int, None] = None,
    ) -> answers.RecordsAnswer:
        """What was recorded, the newest first; with text, where it stands.

        session: of this session alone
        text: a text that the prompt holds
        since: from this time on, RFC 3339
        until: before this time
        limit: how many at most
        cursor: next of the answer before
        """
        return answers.RecordsAnswer(self._route("GET", "/v1/records", {}, None, {"session": session, "text": text, "since": since, "until": until, "limit": limit, "cursor": cursor}, {}))

    def diff(
        self,
        *,
        a: Union[str, int, None] = None,
        b: Union[str, int, None] = None,
    ) -> answers.Difference:
        """What is different between two records.

        a: a record, by its hash or as SESSION@NUMBER
        b: another
        """
        return answers.Difference(self._route("GET", "/v1/records/diff", {}, None, {"a": a, "b": b}, {}))


class Standing:
    """How a service stands."""

    def __init__(self, route: Callable[..., Any], project: Optional[str]) -> None:
        self._route = route
        self._project = project

    def alive(
        self,
    ) -> answers.Health:
        """Whether the process answers.
        """
        return answers.Health(self._route("GET", "/healthz", {}, None, {}, {}))

    def metrics(
        self,
    ) -> Optional[str]:
        """What operators watch, as Prometheus reads it.
        """
        text: Optional[str] = self._route("GET", "/metrics", {}, None, {}, {})
        return text

    def document(
        self,
    ) -> Any:
        """This document.
        """
        return self._route("GET", "/openapi.json", {}, None, {}, {})

    def ready(
        self,
    ) -> answers.Health:
        """Whether the store is there, and no end is near.
        """
        return answers.Health(self._route("GET", "/readyz", {}, None, {}, {}))


class Sessions:
    """The sessions of a service."""

    def __init__(self, route: Callable[..., Any], project: Optional[str]) -> None:
        self._route = route
        self._project = project

    def cache(
        self,
        session: str,
        *,
        model: Union[str, int, None] = None,
    ) -> answers.CacheReport:
        """What became of its turns in the prompt cache, and what broke it.

        model: the one that is asked where what was recorded names none
        """
        return answers.CacheReport(self._route("GET", "/v1/sessions/{id}/cache", {"id": session}, None, {"model": model}, {}))

    def clear(
        self,
        session: str,
        *,
        dedupe_key: Optional[str] = None,
        id: Optional[str] = None,
        tag: Optional[str] = None,
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionChanged:
        """Take reminders out.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionChanged(self._route("POST", "/v1/sessions/{id}/clear", {"id": session}, {"dedupe_key": dedupe_key, "id": id, "tag": tag}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    def compact(
        self,
        session: str,
        *,
        recap: Optional[str] = None,
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionChanged:
        """Tell that the conversation was compacted.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionChanged(self._route("POST", "/v1/sessions/{id}/compact", {"id": session}, {"recap": recap}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    def delete(
        self,
        session: str,
        *,
        children: Union[str, int, None] = None,
        expect: Optional[int] = None,
    ) -> answers.StoreDeleted:
        """Delete a session, with its prompt and its records.

        children: true: those that were forked from it, too
        expect: the version that the session must have
        """
        return answers.StoreDeleted(self._route("DELETE", "/v1/sessions/{id}", {"id": session}, None, {"children": children}, {"If-Match": expect}))

    def drift(
        self,
        session: str,
        *,
        with_: Any = None,
    ) -> answers.SessionDrift:
        """How the prompt that the files would give differs from the one that it has.
        """
        return answers.SessionDrift(self._route("POST", "/v1/sessions/{id}/drift", {"id": session}, {"with": with_}, {}, {}))

    def fork(
        self,
        session: str,
        *,
        child: str,
        key: Optional[str] = None,
    ) -> answers.SessionForked:
        """Begin a child session.

        key: asked for again with the same one, it is not done again
        """
        return answers.SessionForked(self._route("POST", "/v1/sessions/{id}/fork", {"id": session}, {"child": child}, {}, {"Idempotency-Key": key}))

    def prompt(
        self,
        session: str,
    ) -> Optional[str]:
        """The exact bytes of its prompt; 204 where it has no system prompt.
        """
        text: Optional[str] = self._route("GET", "/v1/sessions/{id}/prompt", {"id": session}, None, {}, {})
        return text

    def rematerialise(
        self,
        session: str,
        *,
        layer: Any = None,
        reason: Optional[str] = None,
        with_: Any = None,
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionRematerialised:
        """Make the prompt anew, on record.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionRematerialised(self._route("POST", "/v1/sessions/{id}/rematerialise", {"id": session}, {"layer": layer, "reason": reason, "with": with_}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    def remind(
        self,
        session: str,
        *,
        reminder: Any,
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionChanged:
        """Inject a reminder.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionChanged(self._route("POST", "/v1/sessions/{id}/remind", {"id": session}, {"reminder": reminder}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    def show(
        self,
        session: str,
    ) -> answers.SessionShown:
        """How a session stands.
        """
        return answers.SessionShown(self._route("GET", "/v1/sessions/{id}", {"id": session}, None, {}, {}))

    def start(
        self,
        *,
        id: str,
        project: Optional[str] = None,
        append_only: Optional[bool] = None,
        layer: Any = None,
        materialise: Optional[str] = None,
        placement: Optional[str] = None,
        providers: Optional[Sequence[str]] = None,
        with_: Any = None,
        key: Optional[str] = None,
    ) -> answers.SessionStarted:
        """Begin a session, and make its prompt.

        project: Name of the project; default the client's.
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionStarted(self._route("POST", "/v1/sessions", {}, {"id": id, "project": self._project if project is None else project, "append_only": append_only, "layer": layer, "materialise": materialise, "placement": placement, "providers": providers, "with": with_}, {}, {"Idempotency-Key": key}))

    def timeline(
        self,
        session: str,
        *,
        limit: Union[str, int, None] = None,
        cursor: Union[str, int, None] = None,
    ) -> answers.Timeline:
        """How it stands, with what was recorded of it last.

        limit: how many records at most, the newest
        cursor: next of the answer before
        """
        return answers.Timeline(self._route("GET", "/v1/sessions/{id}/timeline", {"id": session}, None, {"limit": limit, "cursor": cursor}, {}))

    def touch(
        self,
        session: str,
        *,
        files: Sequence[str],
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionChanged:
        """Tell which files are worked on.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionChanged(self._route("POST", "/v1/sessions/{id}/touch", {"id": session}, {"files": files}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    def turn(
        self,
        session: str,
        *,
        check_drift: Optional[bool] = None,
        idle_turns: Optional[int] = None,
        messages: Any = None,
        partial: Optional[bool] = None,
        provider: Optional[str] = None,
        resumed: Optional[bool] = None,
        tokens_used: Optional[int] = None,
        truncated: Optional[Sequence[Any]] = None,
        window: Optional[int] = None,
        with_: Any = None,
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionTurn:
        """Begin the next turn: what the model is asked with.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionTurn(self._route("POST", "/v1/sessions/{id}/turn", {"id": session}, {"check_drift": check_drift, "idle_turns": idle_turns, "messages": messages, "partial": partial, "provider": provider, "resumed": resumed, "tokens_used": tokens_used, "truncated": truncated, "window": window, "with": with_}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    def turn_end(
        self,
        session: str,
        *,
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionChanged:
        """End the turn, and begin none.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionChanged(self._route("POST", "/v1/sessions/{id}/turn_end", {"id": session}, {}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    def usage(
        self,
        session: str,
        *,
        turn: int,
        usage: Any,
        request: Optional[int] = None,
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionBilled:
        """Keep what a provider billed for a request of a turn.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionBilled(self._route("POST", "/v1/sessions/{id}/usage", {"id": session}, {"turn": turn, "usage": usage, "request": request}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    def list(
        self,
        *,
        project: Union[str, int, None] = None,
        parent: Union[str, int, None] = None,
        limit: Union[str, int, None] = None,
        cursor: Union[str, int, None] = None,
    ) -> answers.SessionsAnswer:
        """The sessions that the token reads, as they began; the newest where there are more.

        project: of this project alone
        parent: those that were forked from this one
        limit: how many at most
        cursor: next of the answer before
        """
        return answers.SessionsAnswer(self._route("GET", "/v1/sessions", {}, None, {"project": project, "parent": parent, "limit": limit, "cursor": cursor}, {}))


class AsyncProjects:
    """The projects of a service."""

    def __init__(self, route: Callable[..., Awaitable[Any]], project: Optional[str]) -> None:
        self._route = route
        self._project = project

    async def show(
        self,
        *,
        project: Optional[str] = None,
    ) -> answers.ProjectAnswer:
        """One project.

        project: Name of the project; default the client's.
        """
        return answers.ProjectAnswer(await self._route("GET", "/v1/projects/{project}", {"project": self._project if project is None else project}, None, {}, {}))

    async def test(
        self,
        *,
        allow_none: Optional[bool] = None,
        coverage: Optional[bool] = None,
        coverage_min: Optional[float] = None,
        fail_fast: Optional[bool] = None,
        mutate: Optional[bool] = None,
        mutate_min: Optional[float] = None,
        run: Optional[str] = None,
        target: Optional[str] = None,
        project: Optional[str] = None,
    ) -> answers.TestAnswer:
        """Run the tests of a project's prompts; nothing is written.

        project: Name of the project; default the client's.
        """
        return answers.TestAnswer(await self._route("POST", "/v1/projects/{project}/test", {"project": self._project if project is None else project}, {"allow_none": allow_none, "coverage": coverage, "coverage_min": coverage_min, "fail_fast": fail_fast, "mutate": mutate, "mutate_min": mutate_min, "run": run, "target": target}, {}, {}))

    async def list(
        self,
    ) -> answers.ProjectsAnswer:
        """The projects that the token reaches.
        """
        return answers.ProjectsAnswer(await self._route("GET", "/v1/projects", {}, None, {}, {}))


class AsyncRecords:
    """What a service has recorded."""

    def __init__(self, route: Callable[..., Awaitable[Any]], project: Optional[str]) -> None:
        self._route = route
        self._project = project

    async def export(
        self,
        *,
        session: Union[str, int, None] = None,
    ) -> Optional[str]:
        """Sessions and records as JSON lines, as cento log import reads them.

        session: this session alone
        """
        text: Optional[str] = await self._route("GET", "/v1/export", {}, None, {"session": session}, {})
        return text

    async def show(
        self,
        record: str,
    ) -> answers.ShownRecord:
        """A record, by its hash or as SESSION@NUMBER.
        """
        return answers.ShownRecord(await self._route("GET", "/v1/records/{record}", {"record": record}, None, {}, {}))

    async def replay(
        self,
        record: str,
    ) -> answers.Replay:
        """Make the prompt of a record again, of nothing but its input.
        """
        return answers.Replay(await self._route("GET", "/v1/records/{record}/replay", {"record": record}, None, {}, {}))

    async def list(
        self,
        *,
        session: Union[str, int, None] = None,
        text: Union[str, int, None] = None,
        since: Union[str, int, None] = None,
        until: Union[str, int, None] = None,
        limit: Union[str, int, None] = None,
        cursor: Union[str, int, None] = None,
    ) -> answers.RecordsAnswer:
        """What was recorded, the newest first; with text, where it stands.

        session: of this session alone
        text: a text that the prompt holds
        since: from this time on, RFC 3339
        until: before this time
        limit: how many at most
        cursor: next of the answer before
        """
        return answers.RecordsAnswer(await self._route("GET", "/v1/records", {}, None, {"session": session, "text": text, "since": since, "until": until, "limit": limit, "cursor": cursor}, {}))

    async def diff(
        self,
        *,
        a: Union[str, int, None] = None,
        b: Union[str, int, None] = None,
    ) -> answers.Difference:
        """What is different between two records.

        a: a record, by its hash or as SESSION@NUMBER
        b: another
        """
        return answers.Difference(await self._route("GET", "/v1/records/diff", {}, None, {"a": a, "b": b}, {}))


class AsyncStanding:
    """How a service stands."""

    def __init__(self, route: Callable[..., Awaitable[Any]], project: Optional[str]) -> None:
        self._route = route
        self._project = project

    async def alive(
        self,
    ) -> answers.Health:
        """Whether the process answers.
        """
        return answers.Health(await self._route("GET", "/healthz", {}, None, {}, {}))

    async def metrics(
        self,
    ) -> Optional[str]:
        """What operators watch, as Prometheus reads it.
        """
        text: Optional[str] = await self._route("GET", "/metrics", {}, None, {}, {})
        return text

    async def document(
        self,
    ) -> Any:
        """This document.
        """
        return await self._route("GET", "/openapi.json", {}, None, {}, {})

    async def ready(
        self,
    ) -> answers.Health:
        """Whether the store is there, and no end is near.
        """
        return answers.Health(await self._route("GET", "/readyz", {}, None, {}, {}))


class AsyncSessions:
    """The sessions of a service."""

    def __init__(self, route: Callable[..., Awaitable[Any]], project: Optional[str]) -> None:
        self._route = route
        self._project = project

    async def cache(
        self,
        session: str,
        *,
        model: Union[str, int, None] = None,
    ) -> answers.CacheReport:
        """What became of its turns in the prompt cache, and what broke it.

        model: the one that is asked where what was recorded names none
        """
        return answers.CacheReport(await self._route("GET", "/v1/sessions/{id}/cache", {"id": session}, None, {"model": model}, {}))

    async def clear(
        self,
        session: str,
        *,
        dedupe_key: Optional[str] = None,
        id: Optional[str] = None,
        tag: Optional[str] = None,
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionChanged:
        """Take reminders out.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionChanged(await self._route("POST", "/v1/sessions/{id}/clear", {"id": session}, {"dedupe_key": dedupe_key, "id": id, "tag": tag}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    async def compact(
        self,
        session: str,
        *,
        recap: Optional[str] = None,
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionChanged:
        """Tell that the conversation was compacted.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionChanged(await self._route("POST", "/v1/sessions/{id}/compact", {"id": session}, {"recap": recap}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    async def delete(
        self,
        session: str,
        *,
        children: Union[str, int, None] = None,
        expect: Optional[int] = None,
    ) -> answers.StoreDeleted:
        """Delete a session, with its prompt and its records.

        children: true: those that were forked from it, too
        expect: the version that the session must have
        """
        return answers.StoreDeleted(await self._route("DELETE", "/v1/sessions/{id}", {"id": session}, None, {"children": children}, {"If-Match": expect}))

    async def drift(
        self,
        session: str,
        *,
        with_: Any = None,
    ) -> answers.SessionDrift:
        """How the prompt that the files would give differs from the one that it has.
        """
        return answers.SessionDrift(await self._route("POST", "/v1/sessions/{id}/drift", {"id": session}, {"with": with_}, {}, {}))

    async def fork(
        self,
        session: str,
        *,
        child: str,
        key: Optional[str] = None,
    ) -> answers.SessionForked:
        """Begin a child session.

        key: asked for again with the same one, it is not done again
        """
        return answers.SessionForked(await self._route("POST", "/v1/sessions/{id}/fork", {"id": session}, {"child": child}, {}, {"Idempotency-Key": key}))

    async def prompt(
        self,
        session: str,
    ) -> Optional[str]:
        """The exact bytes of its prompt; 204 where it has no system prompt.
        """
        text: Optional[str] = await self._route("GET", "/v1/sessions/{id}/prompt", {"id": session}, None, {}, {})
        return text

    async def rematerialise(
        self,
        session: str,
        *,
        layer: Any = None,
        reason: Optional[str] = None,
        with_: Any = None,
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionRematerialised:
        """Make the prompt anew, on record.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionRematerialised(await self._route("POST", "/v1/sessions/{id}/rematerialise", {"id": session}, {"layer": layer, "reason": reason, "with": with_}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    async def remind(
        self,
        session: str,
        *,
        reminder: Any,
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionChanged:
        """Inject a reminder.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionChanged(await self._route("POST", "/v1/sessions/{id}/remind", {"id": session}, {"reminder": reminder}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    async def show(
        self,
        session: str,
    ) -> answers.SessionShown:
        """How a session stands.
        """
        return answers.SessionShown(await self._route("GET", "/v1/sessions/{id}", {"id": session}, None, {}, {}))

    async def start(
        self,
        *,
        id: str,
        project: Optional[str] = None,
        append_only: Optional[bool] = None,
        layer: Any = None,
        materialise: Optional[str] = None,
        placement: Optional[str] = None,
        providers: Optional[Sequence[str]] = None,
        with_: Any = None,
        key: Optional[str] = None,
    ) -> answers.SessionStarted:
        """Begin a session, and make its prompt.

        project: Name of the project; default the client's.
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionStarted(await self._route("POST", "/v1/sessions", {}, {"id": id, "project": self._project if project is None else project, "append_only": append_only, "layer": layer, "materialise": materialise, "placement": placement, "providers": providers, "with": with_}, {}, {"Idempotency-Key": key}))

    async def timeline(
        self,
        session: str,
        *,
        limit: Union[str, int, None] = None,
        cursor: Union[str, int, None] = None,
    ) -> answers.Timeline:
        """How it stands, with what was recorded of it last.

        limit: how many records at most, the newest
        cursor: next of the answer before
        """
        return answers.Timeline(await self._route("GET", "/v1/sessions/{id}/timeline", {"id": session}, None, {"limit": limit, "cursor": cursor}, {}))

    async def touch(
        self,
        session: str,
        *,
        files: Sequence[str],
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionChanged:
        """Tell which files are worked on.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionChanged(await self._route("POST", "/v1/sessions/{id}/touch", {"id": session}, {"files": files}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    async def turn(
        self,
        session: str,
        *,
        check_drift: Optional[bool] = None,
        idle_turns: Optional[int] = None,
        messages: Any = None,
        partial: Optional[bool] = None,
        provider: Optional[str] = None,
        resumed: Optional[bool] = None,
        tokens_used: Optional[int] = None,
        truncated: Optional[Sequence[Any]] = None,
        window: Optional[int] = None,
        with_: Any = None,
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionTurn:
        """Begin the next turn: what the model is asked with.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionTurn(await self._route("POST", "/v1/sessions/{id}/turn", {"id": session}, {"check_drift": check_drift, "idle_turns": idle_turns, "messages": messages, "partial": partial, "provider": provider, "resumed": resumed, "tokens_used": tokens_used, "truncated": truncated, "window": window, "with": with_}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    async def turn_end(
        self,
        session: str,
        *,
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionChanged:
        """End the turn, and begin none.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionChanged(await self._route("POST", "/v1/sessions/{id}/turn_end", {"id": session}, {}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    async def usage(
        self,
        session: str,
        *,
        turn: int,
        usage: Any,
        request: Optional[int] = None,
        expect: Optional[int] = None,
        key: Optional[str] = None,
    ) -> answers.SessionBilled:
        """Keep what a provider billed for a request of a turn.

        expect: the version that the session must have
        key: asked for again with the same one, it is not done again
        """
        return answers.SessionBilled(await self._route("POST", "/v1/sessions/{id}/usage", {"id": session}, {"turn": turn, "usage": usage, "request": request}, {}, {"If-Match": expect, "Idempotency-Key": key}))

    async def list(
        self,
        *,
        project: Union[str, int, None] = None,
        parent: Union[str, int, None] = None,
        limit: Union[str, int, None] = None,
        cursor: Union[str, int, None] = None,
    ) -> answers.SessionsAnswer:
        """The sessions that the token reads, as they began; the newest where there are more.

        project: of this project alone
        parent: those that were forked from this one
        limit: how many at most
        cursor: next of the answer before
        """
        return answers.SessionsAnswer(await self._route("GET", "/v1/sessions", {}, None, {"project": project, "parent": parent, "limit": limit, "cursor": cursor}, {}))
